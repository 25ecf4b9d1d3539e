import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aStrand, bytesOf, testId, testTime } from '../testing/a-strand.ts';
import { decodeFile } from '../testing/decode-file.ts';
import { encodeUtf8 } from '../text/utf8.ts';
import { crc32, crc32Hex } from './crc32.ts';
import { decodeJsonLine, encodeJsonLine } from './json-line.ts';
import { decodeLine, encodeLine } from './line.ts';
import type { StrandRecord } from './schema.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const body = (line: Uint8Array): Uint8Array => line.subarray(0, -1);
const message = (said: string, more: object = {}): StrandRecord =>
  ({
    id: testId(2),
    parent: testId(1),
    at: testTime(2),
    kind: 'message',
    role: 'user',
    by: 'user',
    parts: [{ type: 'text', text: said }],
    ...more,
  }) as StrandRecord;
const withSum = (json: string): Uint8Array => {
  const payload = encodeUtf8(json.slice(0, -1));
  return encodeUtf8(`${json.slice(0, -1)},"sum":"${crc32Hex(payload)}"}`);
};

test('the checksum is the CRC-32 of zip and gzip', () => {
  expect(crc32(encodeUtf8('123456789'))).toBe(0xcbf43926);
  expect(crc32Hex(new Uint8Array(0))).toBe('00000000');
  // zlib's own, for every length around the eight bytes of a step.
  const bytes = encodeUtf8('The quick brown fox jumps over the lazy dog 世界😀'.repeat(3));
  for (let length = 0; length < 40; length += 1) {
    expect(crc32(bytes.subarray(3, 3 + length))).toBe(zlibCrc32(bytes.subarray(3, 3 + length)));
  }
});

test('a record is one line of JSON whose last member is the checksum of what is before it', () => {
  const line = text(encodeLine(message('hi')));
  expect(line.endsWith('\n')).toBe(true);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  const payload = line.slice(0, line.lastIndexOf(',"sum"'));
  expect(JSON.parse(line)).toMatchObject({ sum: crc32Hex(encodeUtf8(payload)) });
  expect(Object.keys(JSON.parse(line)).at(-1)).toBe('sum');
});

test('a record comes back as it was, foreign members and order of members included', () => {
  const record = message('héllo 世界 😀\u2028\n\0', { zz: { later: [1, null] } });
  const decoded = decodeLine(body(encodeLine(record)));
  expect(decoded).toEqual({ kind: 'ok', record });
  expect(JSON.stringify(decoded.kind === 'ok' && decoded.record)).toBe(JSON.stringify(record));
});

test('any JSON object comes back from its line', () => {
  const json = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 });
  fc.assert(
    fc.property(json, (value) => {
      const { sum: _, ...rest } = JSON.parse(JSON.stringify(value));
      if (Object.keys(rest).length === 0) return;
      const decoded = decodeJsonLine(body(encodeJsonLine(value)));
      expect(decoded).toEqual({ kind: 'ok', value: rest });
    }),
    { numRuns: 200 },
  );
});

test('every cut of a line is torn, also the cut that loses only the newline of the next', () => {
  const line = encodeLine(message('{"a":1,"sum":"00000000"} 世界 😀', { extra: { sum: 'deadbeef' } }));
  for (let length = 1; length < line.length - 1; length += 1) {
    expect(decodeLine(line.subarray(0, length)).kind, `cut to ${length} bytes`).not.toBe('ok');
  }
  expect(decodeLine(line.subarray(0, line.length - 20)).kind).toBe('torn');
  expect(decodeLine(body(line)).kind).toBe('ok');
});

test('a cut inside is torn, a wrong checksum is corrupt', () => {
  const line = body(encodeLine(message('hello')));
  expect(decodeLine(line.subarray(0, 40))).toMatchObject({ kind: 'torn' });
  const flipped = Uint8Array.from(line);
  flipped[60] = (flipped[60] ?? 0) ^ 1;
  expect(decodeLine(flipped)).toEqual({ kind: 'corrupt', reason: 'the checksum does not match' });
});

test('every single flipped bit is noticed', () => {
  const line = body(encodeLine(message('hello 世界')));
  for (let bit = 0; bit < line.length * 8; bit += 1) {
    const flipped = Uint8Array.from(line);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(decodeLine(flipped).kind, `bit ${bit}`).not.toBe('ok');
  }
});

test('two fused lines are not a record', () => {
  const line = body(encodeLine(message('hello')));
  const fused = new Uint8Array(line.length * 2);
  fused.set(line);
  fused.set(line, line.length);
  expect(decodeLine(fused).kind).toBe('corrupt');
});

test.each([
  ['no id', '{"parent":null,"at":"2026-01-02T03:04:05.000Z","kind":"boundary"}', 'id'],
  [
    'an id in capitals',
    '{"id":"ABCDEF000001","parent":null,"at":"2026-01-02T03:04:05.000Z","kind":"boundary"}',
    'id',
  ],
  [
    'a time without milliseconds',
    '{"id":"a00000000001","parent":null,"at":"2026-01-02T03:04:05Z","kind":"boundary"}',
    'at',
  ],
  ['no kind', '{"id":"a00000000001","parent":null,"at":"2026-01-02T03:04:05.000Z"}', 'kind'],
  [
    'a part that does not fit',
    '{"id":"a00000000001","parent":null,"at":"2026-01-02T03:04:05.000Z","kind":"message","role":"user","parts":[{"type":"text"}]}',
    'parts.0.text',
  ],
])('a whole line with %s is corrupt and says where', (_, json, where) => {
  const decoded = decodeLine(withSum(json));
  expect(decoded.kind).toBe('corrupt');
  expect(decoded.kind === 'corrupt' && decoded.reason.startsWith(where)).toBe(true);
});

test('a kind of a newer Skein is kept whole', () => {
  const raw = { id: testId(3), parent: testId(2), at: testTime(3), kind: 'hologram', beams: [1, 2] };
  expect(decodeLine(body(encodeJsonLine(raw)))).toEqual({
    kind: 'unknown',
    id: raw.id,
    parent: raw.parent,
    at: raw.at,
    recordKind: 'hologram',
    raw,
  });
});

test('a header of a newer format is read, even when its other members changed', () => {
  const raw = {
    id: testId(1),
    parent: null,
    at: testTime(1),
    kind: 'header',
    format: 'skein',
    v: 7,
    strand: 'a1b2c3d4e5f6',
    cwd: '/x',
    agent: { name: 'new' },
    versions: 3,
  };
  const decoded = decodeLine(body(encodeJsonLine(raw)));
  expect(decoded).toMatchObject({
    kind: 'ok',
    record: { kind: 'header', v: 7, cwd: '/x', agent: 'unknown' },
  });
});

test('lone surrogates become well-formed, in keys too, and nothing else changes', () => {
  const record = message('a\ud83d b \\ud83d 😀', { extra: { 'k\udc00': ['x\ud800'] } });
  const decoded = decodeLine(body(encodeLine(record)));
  expect(decoded).toMatchObject({
    kind: 'ok',
    record: { parts: [{ text: 'a\ufffd b \\ud83d 😀' }], extra: { 'k\ufffd': ['x\ufffd'] } },
  });
});

test('a __proto__ member is an ordinary member and reaches no other object', () => {
  const input: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}}}');
  const record = message('x', { parts: [{ type: 'tool_call', call: 'c', name: 'n', input }] });
  const line = encodeLine(record);
  const decoded = decodeLine(body(line));
  expect(decoded.kind).toBe('ok');
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  expect(decoded.kind === 'ok' && encodeLine(decoded.record)).toEqual(line);
  expect(decodeLine(withSum('{"__proto__":{"id":"a00000000001"},"kind":"boundary"}')).kind).toBe('corrupt');
});

test('a value nested deeper than 200 levels is refused both ways, without a stack overflow', () => {
  const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  expect(() => encodeJsonLine({ deep: deep(200) })).toThrow(RangeError);
  expect(decodeJsonLine(body(encodeJsonLine({ deep: deep(199) }))).kind).toBe('ok');
  const json = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  expect(decodeJsonLine(withSum(json))).toEqual({ kind: 'corrupt', reason: 'nested deeper than 200 levels' });
});

test('bytes that are not UTF-8, a byte order mark, and JSON that is no object are corrupt', () => {
  const notUtf8 = encodeUtf8('{"a":"x"');
  notUtf8[6] = 0xff;
  const tail = encodeUtf8(`,"sum":"${crc32Hex(notUtf8)}"}`);
  expect(decodeJsonLine(Uint8Array.of(...notUtf8, ...tail)).kind).toBe('corrupt');
  expect(decodeJsonLine(withSum('\ufeff{"a":1}')).kind).not.toBe('ok');
  expect(decodeJsonLine(withSum('[1]')).kind).not.toBe('ok');
  expect(decodeJsonLine(encodeUtf8('')).kind).toBe('torn');
});

test('garbage of any kind never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(decodeLine(bytes).kind).not.toBe('ok');
    }),
    { numRuns: 300 },
  );
});

test('a file of records reads back as the same records', () => {
  const records = aStrand().exchange('one', 'first').exchange('two', 'second', ['a.txt']).records();
  const decoded = decodeFile(bytesOf(records)).map((line) => line.decoded);
  expect(decoded).toEqual(records.map((record) => ({ kind: 'ok', record })));
});
