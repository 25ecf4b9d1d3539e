/** Strands of every released format, opened by today's code. Files here are only ever added to. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeLine } from '../src/record/line.ts';
import { decodeFile } from '../src/testing/decode-file.ts';
import { describeFile } from '../src/testing/describe-file.ts';

const ROOT = join(import.meta.dirname, '../fixtures/strands');
const files = readdirSync(ROOT).flatMap((version) =>
  readdirSync(join(ROOT, version))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => `${version}/${name}`),
);
const bytesOf = (file: string): Uint8Array => readFileSync(join(ROOT, file));

test.each(files)('%s reads as it did when it was released', (file) => {
  const expected: unknown = JSON.parse(
    readFileSync(join(ROOT, file.replace(/\.jsonl$/, '.expected.json')), 'utf8'),
  );
  expect(describeFile(bytesOf(file))).toEqual(expected);
});

test.each(files)('%s has the bytes it was released with', (file) => {
  const [version = '', name = ''] = file.split('/');
  const hash = createHash('sha256').update(bytesOf(file)).digest('hex');
  expect(readFileSync(join(ROOT, version, 'SHA256SUMS'), 'utf8').split('\n')).toContain(`${hash}  ${name}`);
});

test('no golden strand is missing', () => {
  const listed = readdirSync(ROOT).flatMap((version) =>
    readFileSync(join(ROOT, version, 'SHA256SUMS'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `${version}/${line.slice(66)}`),
  );
  expect(listed.toSorted()).toEqual(files.toSorted());
});

test('every whole record of the current format is written back byte for byte', () => {
  for (const file of files.filter((name) => name.startsWith('v1/') && !name.includes('newer'))) {
    const bytes = bytesOf(file);
    const text = new TextDecoder().decode(bytes).split('\n');
    decodeFile(bytes).forEach(({ seq, decoded }) => {
      if (decoded.kind !== 'ok') return;
      expect(new TextDecoder().decode(encodeLine(decoded.record))).toBe(`${text[seq - 1]}\n`);
    });
  }
});
