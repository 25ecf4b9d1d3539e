/**
 * CRC-32 (the one of zip, gzip and PNG: reflected polynomial 0xEDB88320). It tells a complete line from one
 * that only happens to parse; it is no defence against somebody who edits the file on purpose.
 */
const TABLE = makeTable();

/** The checksum of `bytes` as an unsigned 32-bit number. */
export const crc32 = (bytes: Uint8Array): number => {
  let crc = -1;
  // An index loop: for..of over a typed array is several times slower, and every byte of a strand passes here.
  for (let index = 0; index < bytes.length; index += 1) {
    crc = (TABLE[(crc ^ (bytes[index] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return (crc ^ -1) >>> 0;
};

/** The checksum as 8 lower-case hex characters. */
export const crc32Hex = (bytes: Uint8Array): string => crc32(bytes).toString(16).padStart(8, '0');

function makeTable(): Int32Array {
  const table = new Int32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    table[byte] = value;
  }
  return table;
}
