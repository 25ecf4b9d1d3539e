// Appends that are acknowledged after fdatasync, against a plain loop of write and fdatasync on the same disk.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../apps/bridge/src/platform/clock.ts';
import { readProcessIdentity } from '../../apps/bridge/src/platform/host.ts';
import { openDataDir } from '../../apps/bridge/src/strands/data-dir.ts';
import { openStrandStore } from '../../apps/bridge/src/strands/store.ts';
import { tempDir, times } from './tools.mjs';

const RECORDS = 400;
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(10);

export const openStore = async (dir) =>
  openStrandStore({
    dirs: await openDataDir(path.join(dir, 'data')),
    process: readProcessIdentity({ hostIdFile: path.join(dir, 'host-id') }),
    clock: systemClock,
    notice: (message) => console.error(message),
    onFault: (error) => console.error(error),
  });

export const header = (cwd) => ({
  kind: 'header',
  format: 'skein',
  v: 1,
  cwd,
  versions: { skein: '0.0.0', node: process.versions.node, os: process.platform },
  repo: null,
  agent: 'script',
  origin: null,
});

const message = (by) => ({ kind: 'message', role: 'user', by, parts: [{ type: 'text', text: TEXT }] });

export const appendBench = async () => {
  const { dir, remove } = tempDir();
  const store = await openStore(dir);
  const writer = await store.create(header(dir));
  const line = Buffer.from(
    `${JSON.stringify({ id: 'x'.repeat(12), at: new Date().toISOString(), ...message('user') })}\n`,
  );
  const file = openSync(path.join(dir, 'plain.jsonl'), 'a');
  let ours = 0;
  let floor = 0;
  // Turn about, so that a busy disk hits both.
  for (let block = 0; block < RECORDS / 20; block += 1) {
    let started = performance.now();
    for (let index = 0; index < 20; index += 1) {
      writeSync(file, line);
      fdatasyncSync(file);
    }
    floor += performance.now() - started;
    started = performance.now();
    for (let index = 0; index < 20; index += 1) await writer.append([message('user')], { durable: true });
    ours += performance.now() - started;
  }
  closeSync(file);
  await writer.close();
  await store.close();
  remove();
  const rate = (took) => `${Math.round((RECORDS / took) * 1000)} /s`;
  return [
    {
      what: 'durable appends, one after the other',
      ours: rate(ours),
      floor: `${rate(floor)} write+fdatasync`,
      ratio: times(ours, floor),
    },
  ];
};
