import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part, Spill } from '@skein/core/record/parts';
import type { RecordBody } from '@skein/core/record/schema';
import { expect, test } from 'vitest';
import { HEADER, openStore, prompt, tempDir } from '../../test/strands-kit.ts';
import { SPILL_OVER_BYTES, spillBody } from './spill-parts.ts';

const user = (part: Part): RecordBody => ({ kind: 'message', role: 'user', parts: [part] });
const LARGE = 'x'.repeat(SPILL_OVER_BYTES + 1);

test.each([
  ['text', { type: 'text', text: LARGE }, 'text/plain'],
  ['note', { type: 'note', text: LARGE }, 'text/plain'],
  ['thinking', { type: 'thinking', text: LARGE, signature: LARGE }, 'text/plain'],
  ['image', { type: 'image', mime: 'image/png', data: LARGE }, 'image/png;base64'],
  ['tool_result', { type: 'tool_result', call: 'c', status: 'ok', output: LARGE }, 'text/plain'],
  ['tool_call', { type: 'tool_call', call: '../../x', name: 'n', input: { a: LARGE } }, 'application/json'],
] as const)('a large %s leaves the line whole', (_name, part, mime) => {
  const { body, contents } = spillBody(user(part));
  const expected = part.type === 'tool_call' ? JSON.stringify(part.input) : LARGE;
  expect(contents.map((bytes) => Buffer.from(bytes).toString())).toEqual([expected]);
  const sha256 = createHash('sha256').update(expected).digest('hex');
  expect(JSON.stringify(body)).toContain(`"sha256":"${sha256}","bytes":${expected.length},"mime":"${mime}"`);
  if (part.type === 'thinking') expect(JSON.stringify(body)).toContain(`"signature":"${LARGE}"`);
  else expect(JSON.stringify(body).length).toBeLessThan(8000);
});

test('the limit is in bytes, not characters', () => {
  const fits = '語'.repeat(Math.floor(SPILL_OVER_BYTES / 3));
  expect(spillBody(user({ type: 'text', text: fits })).contents).toHaveLength(0);
  expect(spillBody(user({ type: 'text', text: `${fits}語` })).contents).toHaveLength(1);
});

test('head and tail never cut a character in two (TRAPS A39)', () => {
  for (let shift = 0; shift < 4; shift += 1) {
    const { body } = spillBody(
      user({ type: 'text', text: 'a'.repeat(shift) + '😀'.repeat(20_000) + 'b'.repeat(shift) }),
    );
    const part = body.kind === 'message' ? body.parts[0] : undefined;
    const spill = part?.type === 'text' ? (part.text as Spill) : undefined;
    expect([spill?.head.isWellFormed(), spill?.tail.isWellFormed()]).toEqual([true, true]);
    expect(spill?.head).not.toContain('\ufffd');
    expect(spill?.tail).not.toContain('\ufffd');
  }
});

test('a spill is on disk, private, kept once, and read back whole or in parts', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const writer = await opened.store.create(HEADER);
  await writer.append([prompt(`ä${LARGE}`), prompt(`ä${LARGE}`)]);
  const sha256 = createHash('sha256').update(`ä${LARGE}`).digest('hex');
  const file = join(opened.dirs.spills, sha256.slice(0, 2), sha256);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(file, '..'))).toEqual([sha256]);
  expect(Buffer.from(await opened.store.readSpill(sha256)).toString()).toBe(`ä${LARGE}`);
  expect(await opened.store.readSpillRange(sha256, 2, 3)).toEqual({
    bytes: Buffer.from('xxx'),
    total: LARGE.length + 2,
  });
  expect((await opened.store.readSpillRange(sha256, LARGE.length, 100)).bytes).toHaveLength(2);

  writeFileSync(file, `ö${LARGE}`);
  await expect(opened.store.readSpill(sha256)).rejects.toMatchObject({ code: 'unreadable' });
  rmSync(file);
  await expect(opened.store.readSpill(sha256)).rejects.toMatchObject({ code: 'not_found' });
  for (const name of ['../../data.json', 'x', '']) {
    await expect(opened.store.readSpill(name)).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('when the spill cannot be written, neither is the record', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const writer = await opened.store.create(HEADER);
  rmSync(opened.dirs.spills, { recursive: true });
  writeFileSync(opened.dirs.spills, 'a file in the way');
  const size = statSync(writer.file).size;
  await expect(writer.append([prompt(LARGE)])).rejects.toMatchObject({ code: 'io' });
  expect(statSync(writer.file).size).toBe(size);
  rmSync(opened.dirs.spills);
  await writer.append([prompt(LARGE)]);
  expect(writer.state.seq).toBe(2);
});
