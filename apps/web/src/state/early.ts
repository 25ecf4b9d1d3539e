/** The code that `early.js` took out of the address, once. */
export function takeCode(storage: () => Storage): string | null {
  try {
    const code = storage().getItem('skein.code');
    storage().removeItem('skein.code');
    return code;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
