// Undo and redo of many files against git checkout of the same paths and a sync of each. Medians, turn about.
import { execFileSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../apps/bridge/src/platform/clock.ts';
import { readProcessIdentity } from '../../apps/bridge/src/platform/host.ts';
import { newName, newOpId, newRecordId, newStrandId } from '../../apps/bridge/src/platform/ids.ts';
import { openSnapshotStore } from '../../apps/bridge/src/snapshots/store.ts';
import { median, ms, tempDir, times } from './tools.mjs';

const text = (name, version) => `// ${name} ${version}\n`.repeat(150);

const benchCount = async (count, rounds) => {
  const { dir, remove } = tempDir();
  const [root, dataDir] = [path.join(dir, 'work'), path.join(dir, 'data')];
  for (const folder of [root, dataDir]) mkdirSync(folder);
  const names = Array.from({ length: count }, (_, at) => `f${at}.ts`);
  for (const name of names) writeFileSync(path.join(root, name), text(name, 'before'));
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@x', ...args], { cwd: root });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'before');
  const strand = newStrandId();
  const store = openSnapshotStore({
    dataDir,
    process: readProcessIdentity({ hostIdFile: path.join(dir, 'host-id') }),
    clock: systemClock,
    newRecordId,
    newName,
    trees: { kind: 'none', reason: 'not in this bench' },
    onFault: (error) => console.error(error),
  });
  const turn = newRecordId();
  const gate = await store.openGate({ strand, root, cwd: root, turn, forbidden: [] });
  for (const name of names)
    await gate.write({ call: 'c', path: name, bytes: Buffer.from(text(name, 'after')) });
  await gate.settle();
  const restore = async (direction, target) => {
    const op = newOpId();
    const started = performance.now();
    await store.apply(
      { strand, root },
      { strand, direction, scope: 'files' },
      { ...target, op, to: null },
      async () => undefined,
    );
    return { op, took: performance.now() - started };
  };
  const took = { undo: [], redo: [], floor: [] };
  for (let round = 0; round < rounds; round += 1) {
    const undo = await restore('undo', { turns: [turn], redoes: null });
    const redo = await restore('redo', { turns: [turn], redoes: undo.op });
    took.undo.push(undo.took);
    took.redo.push(redo.took);
    const started = performance.now();
    execFileSync('git', ['checkout', '-q', 'HEAD', '--pathspec-from-file=-'], {
      cwd: root,
      input: names.join('\n'),
    });
    for (const name of names) {
      const file = openSync(path.join(root, name), 'r+');
      fsyncSync(file);
      closeSync(file);
    }
    took.floor.push(performance.now() - started);
    for (const name of names) writeFileSync(path.join(root, name), text(name, 'after'));
  }
  remove();
  const [undo, redo, floor] = [took.undo, took.redo, took.floor].map(median);
  const floorText = `${ms(floor)} git checkout, fsync`;
  return [
    { what: `undo of ${count} files`, ours: ms(undo), floor: floorText, ratio: times(undo, floor) },
    { what: `redo of ${count} files`, ours: ms(redo), floor: floorText, ratio: times(redo, floor) },
  ];
};

export const undoBench = async () => [...(await benchCount(3, 9)), ...(await benchCount(1000, 5))];
