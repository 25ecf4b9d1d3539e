/** The bytes of git packs and their indexes: gitformat-pack(5), version 2, without deltas. */
import { createHash } from 'node:crypto';

export type ObjectType = 'commit' | 'tree' | 'blob';
/** 20 bytes. */
export type ObjectId = Buffer;

export interface Packed {
  readonly id: ObjectId;
  readonly crc: number;
  readonly offset: number;
}

const TYPE_CODE = { commit: 1, tree: 2, blob: 3 } as const;

export const packHeader = (count: number): Buffer => {
  const header = Buffer.alloc(12);
  header.write('PACK', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  return header;
};

export const entryHeader = (type: ObjectType, size: number): Buffer => {
  const bytes: number[] = [];
  let rest = Math.floor(size / 16);
  let byte = (TYPE_CODE[type] << 4) | (size & 15);
  while (rest > 0) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  bytes.push(byte);
  return Buffer.from(bytes);
};

export const digestOf = (pieces: readonly Uint8Array[]): Buffer => {
  const sha = createHash('sha1');
  for (const piece of pieces) sha.update(piece);
  return sha.digest();
};

/** Index version 2: fan-out, ids, checksums, offsets (31 bits or by a second table), the pack's and its own digest. */
export const packIndex = (packed: readonly Packed[], check: Buffer): readonly Uint8Array[] => {
  const sorted = packed.toSorted((a, b) => Buffer.compare(a.id, b.id));
  const fanout = Buffer.alloc(1024);
  const counts = new Uint32Array(256);
  for (const { id } of sorted) counts[id[0] ?? 0] = (counts[id[0] ?? 0] ?? 0) + 1;
  let sum = 0;
  for (const [byte, count] of counts.entries()) {
    sum += count;
    fanout.writeUInt32BE(sum, byte * 4);
  }
  const crcs = Buffer.alloc(sorted.length * 4);
  const offsets = Buffer.alloc(sorted.length * 4);
  const far: Buffer[] = [];
  for (const [at, { crc, offset }] of sorted.entries()) {
    crcs.writeUInt32BE(crc, at * 4);
    if (offset < 0x80000000) {
      offsets.writeUInt32BE(offset, at * 4);
      continue;
    }
    offsets.writeUInt32BE(0x80000000 + far.length, at * 4);
    const wide = Buffer.alloc(8);
    wide.writeBigUInt64BE(BigInt(offset));
    far.push(wide);
  }
  const head = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
  const parts = [head, fanout, ...sorted.map(({ id }) => id), crcs, offsets, ...far, check];
  return [...parts, digestOf(parts)];
};
