// Placeholder until the composition root lands.
console.log('skein');
