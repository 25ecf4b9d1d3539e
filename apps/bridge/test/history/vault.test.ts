/** Copies of other tools' sessions: kept as they grow, read when the tool deleted them, written back when asked. */
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wireFlows } from '../../src/compose/wire-flows.ts';
import { openPlace } from '../open-place.ts';
import { historyHome, printOf } from './history-kit.ts';
import { headerLine, messageLine, sessionId } from './tiny-reader.ts';

const ID = sessionId('a');
const filesIn = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile());

test('a session that its tool deleted is still listed, opened and written back byte for byte', async () => {
  await using place = await openPlace();
  using home = historyHome();
  const file = join(home.lines, 'a.jsonl');
  writeFileSync(file, headerLine('a', place.workspace) + messageLine('1'));
  const history = await home.open(undefined, true);
  const flows = await wireFlows({ ...place.parts, history }, null);
  await flows.history.list({ limit: 10 });
  appendFileSync(file, `${messageLine('2')}{"half`);
  const before = printOf(join(home.dir, 'tool'));
  await flows.history.list({ limit: 10 });
  expect(printOf(join(home.dir, 'tool'))).toEqual(before);
  const raw = readFileSync(file);
  await expect(flows.history.restoreFromVault({ session: ID })).rejects.toMatchObject({ code: 'conflict' });
  rmSync(file);
  const { items } = await flows.history.list({ limit: 10, gone: true });
  expect(items).toMatchObject([{ id: ID, gone: true, kept: true, prompts: 2, path: file }]);
  expect((await flows.strands.window({ strand: ID, turns: 9 })).items).toHaveLength(3);
  expect((await flows.history.continue({ session: ID, agent: 'script' })).turns).toBe(2);
  expect(await flows.history.vault()).toMatchObject({
    sessions: 1,
    gone: 1,
    rawBytes: raw.length,
    damaged: 0,
  });
  const copy = join(place.workspace, 'copy.jsonl');
  await flows.history.restoreFromVault({ session: ID, to: copy });
  await flows.history.restoreFromVault({ session: ID });
  expect([readFileSync(copy), readFileSync(file)]).toEqual([raw, raw]);
});

test('growth is kept as a delta, a rewritten file as a new version beside the old one', async () => {
  using home = historyHome();
  const file = join(home.lines, 'a.jsonl');
  writeFileSync(file, headerLine('a') + messageLine('1'));
  const history = await home.open(undefined, true);
  await history.list();
  await history.list();
  const kept = () => filesIn(join(home.dir, 'data', 'vault')).filter((path) => path.endsWith('.zst'));
  expect(kept()).toHaveLength(1);
  const [first = ''] = kept();
  const bytes = readFileSync(first);
  appendFileSync(file, messageLine('2'));
  await history.list();
  expect(kept()).toHaveLength(2);
  const rewritten = headerLine('a') + messageLine('7') + messageLine('8') + messageLine('9');
  writeFileSync(file, rewritten);
  await history.list();
  expect(kept()).toHaveLength(3);
  expect(readFileSync(first)).toEqual(bytes);
  rmSync(file);
  expect((await history.open(ID))?.records).toHaveLength(4);
  const copy = join(home.dir, 'copy');
  await history.vault.restore(file, copy);
  expect(readFileSync(copy, 'utf8')).toBe(rewritten);
  for (const path of filesIn(join(home.dir, 'data', 'vault')))
    expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('two processes that keep one growing file at once leave a copy that is whole', async () => {
  using home = historyHome();
  const file = join(home.lines, 'a.jsonl');
  writeFileSync(file, headerLine('a'));
  const [one, two] = [await home.open(undefined, true), await home.open(undefined, true)];
  for (let n = 0; n < 20; n += 1) {
    const looks = [one.list()];
    appendFileSync(file, messageLine(`m${n}`));
    looks.push(two.list());
    appendFileSync(file, messageLine(`n${n}`));
    looks.push(one.list());
    await Promise.all(looks);
  }
  await one.list();
  const copy = join(home.dir, 'copy');
  await one.vault.restore(file, copy);
  expect(readFileSync(copy)).toEqual(readFileSync(file));
});

test('a damaged copy is told and never written out', async () => {
  using home = historyHome();
  const file = join(home.lines, 'a.jsonl');
  writeFileSync(file, headerLine('a') + messageLine('1'));
  const history = await home.open(undefined, true);
  await history.list();
  rmSync(file);
  const segment = filesIn(join(home.dir, 'data', 'vault')).find((path) => path.endsWith('.zst')) ?? '';
  const bytes = readFileSync(segment);
  bytes[bytes.length - 8] = (bytes[bytes.length - 8] ?? 0) ^ 1;
  writeFileSync(segment, bytes);
  const { sessions, notices } = await history.list();
  expect(sessions).toEqual([]);
  expect(notices).toEqual([expect.stringContaining('damaged')]);
  await expect(history.vault.restore(file, file)).rejects.toMatchObject({ code: 'unreadable' });
  expect(existsSync(file)).toBe(false);
});

test('nothing is kept unless the user asked for it', async () => {
  using home = historyHome();
  writeFileSync(join(home.lines, 'a.jsonl'), headerLine('a'));
  const { sessions } = await (await home.open()).list();
  expect(sessions[0]?.kept).toBe(false);
  expect(existsSync(join(home.dir, 'data', 'vault'))).toBe(false);
});
