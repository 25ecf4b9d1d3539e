/**
 * CRC-32 (the one of zip, gzip and PNG: reflected polynomial 0xEDB88320). It tells a complete line from one
 * that only happens to parse; it is no defence against somebody who edits the file on purpose.
 *
 * Eight bytes a step ("slicing by 8"): four times as fast as byte by byte, and every byte of a strand
 * passes here.
 */
const SLICES = 8;
/** Eight tables of 256, one after another; table k advances a byte over k more zero bytes. */
const TABLES = makeTables();

/** The checksum of `bytes` as an unsigned 32-bit number. */
export const crc32 = (bytes: Uint8Array): number => {
  let crc = -1;
  let index = 0;
  for (; index + SLICES <= bytes.length; index += SLICES) {
    const first = crc ^ wordAt(bytes, index);
    const second = wordAt(bytes, index + 4);
    crc =
      tableAt(7, first) ^
      tableAt(6, first >>> 8) ^
      tableAt(5, first >>> 16) ^
      tableAt(4, first >>> 24) ^
      tableAt(3, second) ^
      tableAt(2, second >>> 8) ^
      tableAt(1, second >>> 16) ^
      tableAt(0, second >>> 24);
  }
  for (; index < bytes.length; index += 1) crc = tableAt(0, crc ^ (bytes[index] ?? 0)) ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
};

/** The checksum as 8 lower-case hex characters. */
export const crc32Hex = (bytes: Uint8Array): string => crc32(bytes).toString(16).padStart(8, '0');

/** Four bytes, least significant first. */
function wordAt(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
  const high = (bytes[at + 2] ?? 0) | ((bytes[at + 3] ?? 0) << 8);
  return low | (high << 16);
}

function tableAt(slice: number, byte: number): number {
  return TABLES[slice * 256 + (byte & 0xff)] ?? 0;
}

function makeTables(): Int32Array {
  const tables = new Int32Array(SLICES * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    tables[byte] = value;
  }
  for (let index = 256; index < tables.length; index += 1) {
    const before = tables[index - 256] ?? 0;
    tables[index] = (tables[before & 0xff] ?? 0) ^ (before >>> 8);
  }
  return tables;
}
