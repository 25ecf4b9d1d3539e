// Deliberate mutants of the code that people's work rests on. Each must be caught by a test that is named here.
// `find` occurs exactly once in its file; scripts/mutants/list.test.mjs sees to that.
const snapshots = (name) => `apps/bridge/src/snapshots/${name}`;
const platform = (name) => `apps/bridge/src/platform/${name}`;
const test = (name) => `apps/bridge/test/${name}`;

/** @type {readonly {name: string, file: string, find: string, replace: string, tests: readonly string[]}[]} */
export const MUTANTS = [
  {
    name: 'a restore begins without an intent on disk',
    file: snapshots('apply-restore.ts'),
    find: "await appendEntries(store, strand, [{ kind: 'intent', ...intentOf(application), steps }]);",
    replace: '',
    tests: [test('snapshots/crash.test.ts')],
  },
  {
    name: 'the hash of the preview is not compared',
    file: snapshots('apply-restore.ts'),
    find: 'request.plan !== undefined && request.plan !== prepared.hash',
    replace: 'request.plan === null',
    tests: [test('snapshots/restore.test.ts')],
  },
  {
    name: 'conflicts do not stop a restore',
    file: snapshots('apply-restore.ts'),
    find: 'if (prepared.plan.conflicts.length > 0) return result;',
    replace: '',
    tests: [test('snapshots/conflicts.test.ts'), test('snapshots/restore.test.ts')],
  },
  {
    name: 'a restore begins although a saved version is missing',
    file: snapshots('apply-restore.ts'),
    find: '  mustBeRestorable(prepared);\n',
    replace: '',
    tests: [test('snapshots/restore.test.ts'), test('snapshots/disk-and-rights.test.ts')],
  },
  {
    name: 'a path is swapped without a last look at it',
    file: snapshots('restore-step.ts'),
    find: "if (!sameFileState(stateOf(found), step.ours)) return 'moved';",
    replace: '',
    tests: [test('snapshots/restore.test.ts'), test('snapshots/disk-and-rights.test.ts')],
  },
  {
    name: 'what lies on disk is not parked before it is replaced',
    file: snapshots('prepare-restore.ts'),
    find: 'const park = ask.park ? parkOf(store) : undefined;',
    replace: 'const park = undefined as ReturnType<typeof parkOf> | undefined;',
    tests: [test('snapshots/restore.test.ts'), test('snapshots/content-matrix.test.ts')],
  },
  {
    name: 'folders are opened through links',
    file: platform('tree-files.ts'),
    find: 'export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;',
    replace: 'export const NO_FOLLOW = 0;',
    tests: [test('snapshots/disk-and-rights.test.ts'), test('snapshots/gate.test.ts')],
  },
  {
    name: 'recovery says that it restored what it had to leave',
    file: snapshots('recover-restore.ts'),
    find: "if (!sameFileState(now, step.ours) || !(await areSaved(site, step))) return 'left';",
    replace: "if (!sameFileState(now, step.ours) || !(await areSaved(site, step))) return 'done';",
    tests: [test('snapshots/crash.test.ts')],
  },
  {
    name: 'an edit of somebody else between two turns is taken for the turn’s',
    file: 'packages/core/src/restore/foreign-edits.ts',
    find: 'if (before !== undefined && !sameFileState(before, entry.pre)) broken.add(key);',
    replace: '',
    tests: [test('snapshots/conflicts.test.ts'), test('snapshots/model.test.ts')],
  },
  {
    name: 'a path that was changed since is overwritten',
    file: 'packages/core/src/restore/plan.ts',
    find: "if (sameFileState(ours, base)) return { kind: 'step', step: stepOf(path) };",
    replace: "if (sameFileState(ours, ours)) return { kind: 'step', step: stepOf(path) };",
    tests: ['packages/core/src/restore/plan.test.ts', test('snapshots/conflicts.test.ts')],
  },
  {
    name: 'a git that failed is taken for one that answered',
    file: platform('git.ts'),
    find: 'if (result.code === 0 && !result.truncated) return result.stdout;',
    replace: 'if (result.code !== -1) return result.stdout;',
    tests: [test('trees/hostile.test.ts'), test('trees/crash.test.ts'), test('trees/tree-cache.test.ts')],
  },
  {
    name: 'git sees the environment and the configuration of the user',
    file: platform('git.ts'),
    find: 'env: { ...gitEnv(git.path), ...call.env },',
    replace: 'env: { ...(process.env as Record<string, string>), ...call.env },',
    tests: [test('trees/user-git.test.ts')],
  },
  {
    name: 'a journal line is acknowledged before it is on disk',
    file: platform('tree-files-append.ts'),
    find: '    await handle.datasync();\n',
    replace: '',
    tests: [platform('files-traced.test.ts')],
  },
  {
    name: 'a saved version is used without a look at its content',
    file: platform('tree-files-blobs.ts'),
    find: "if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw lostBlob(sha256, 'damaged');",
    replace: '',
    tests: [platform('tree-files-blobs.test.ts'), test('snapshots/restore.test.ts')],
  },
  {
    name: 'the checksum of a line is not looked at',
    file: 'packages/core/src/record/json-line.ts',
    find: "if (crc32(payload) !== sum) return { kind: 'corrupt', reason: 'the checksum does not match' };",
    replace: '',
    tests: ['packages/core/src/record/line.test.ts', test('strands-corruption.test.ts')],
  },
  {
    name: 'a second process may write a session that is open',
    file: platform('lock.ts'),
    find: "if (verdict !== 'dead') return heldBy(found, verdict === 'foreign');",
    replace: '',
    tests: [platform('lock.test.ts'), test('strands-appenders.test.ts')],
  },
  {
    name: 'versions that a journal names are swept',
    file: snapshots('upkeep/clear-up.ts'),
    find: 'const isNeeded = (sha256: string): boolean => named.has(sha256);',
    replace: 'const isNeeded = (sha256: string): boolean => named.has([sha256, 0].join());',
    tests: [test('snapshots/upkeep.test.ts')],
  },
];
