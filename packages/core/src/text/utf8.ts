/**
 * UTF-8 in both directions. `TextEncoder` and `TextDecoder` are the only platform globals that core uses:
 * every host of ours has them, and core compiles without Node or DOM types, hence the local declarations.
 */
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };
declare const TextDecoder: new (
  label: 'utf-8',
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

const encoder = new TextEncoder();
/** Keeps a byte order mark: a record must not become readable by dropping bytes of it. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const encodeUtf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** The text, or null when the bytes are not UTF-8. Nothing is ever replaced by U+FFFD. */
export const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
};
