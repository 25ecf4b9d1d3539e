// Runs before the page is drawn: takes the pairing code out of the address, and sets the theme so that nothing
// flashes.
(() => {
  const code = /^#code=([\w-]{4,128})$/.exec(location.hash);
  if (location.hash.startsWith('#code=')) history.replaceState(null, '', location.pathname + location.search);
  try {
    if (code) sessionStorage.setItem('skein.code', code[1]);
    const theme = localStorage.getItem('skein.theme');
    if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
  } catch (error) {
    // Storage is switched off: the unpaired screen explains what to do.
    document.documentElement.dataset.storage = String(error);
  }
})();
