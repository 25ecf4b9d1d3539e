// `npm run test:mutants`: breaks the code on purpose, one mutant at a time, and expects its tests to go red. Works on a
// copy, so that child processes of the tests run the broken code too and the checkout is never touched. Words after --
// choose mutants by a part of their name.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MUTANTS } from './mutants/list.mjs';
import { ROOT } from './process-tools.mjs';

const WORKSPACES = ['packages/core', 'packages/ui', 'apps/bridge', 'apps/web'];

/** The files that git would commit, with node_modules linked and the workspaces among them pointing into the copy. */
function makeCopy() {
  const copy = realpathSync(mkdtempSync(path.join(tmpdir(), 'skein-mutants-')));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    maxBuffer: 1 << 26,
  });
  for (const file of listed.toString('utf8').split('\0')) {
    if (file === '' || !/^(packages|apps|scripts)\/|^[^/]+$/.test(file)) continue;
    cpSync(path.join(ROOT, file), path.join(copy, file), { recursive: true });
  }
  for (const dir of ['', ...WORKSPACES])
    linkModules(path.join(ROOT, dir, 'node_modules'), path.join(copy, dir, 'node_modules'));
  mkdirSync(path.join(copy, 'node_modules/@skein'), { recursive: true });
  for (const dir of WORKSPACES)
    symlinkSync(path.join(copy, dir), path.join(copy, 'node_modules/@skein', path.basename(dir)));
  return copy;
}

function linkModules(from, to) {
  let names = [];
  try {
    names = readdirSync(from);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  if (names.length === 0) return;
  mkdirSync(to, { recursive: true });
  for (const name of names)
    if (name !== '@skein' && name !== '.vite') symlinkSync(path.join(from, name), path.join(to, name));
}

function runTests(copy, tests, bail) {
  const args = ['run', '--reporter=dot', ...(bail ? ['--bail=1'] : []), ...tests];
  const result = spawnSync(path.join(copy, 'node_modules/.bin/vitest'), args, {
    cwd: copy,
    encoding: 'utf8',
    timeout: 15 * 60_000,
  });
  return { green: result.status === 0, text: `${result.stdout}${result.stderr}` };
}

/** A mutant that is no program any more proves nothing. */
const isNoProgram = (text) =>
  /SyntaxError|Transform failed|ReferenceError|no tests|No test files/i.test(text);

const words = process.argv.slice(2).filter((word) => word !== '--');
const chosen = MUTANTS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const copy = makeCopy();
let passed = 0;
const failed = [];
try {
  const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
  const sound = runTests(copy, all, false);
  if (!sound.green) throw new Error(`The tests are red without any mutant:\n${sound.text.slice(-4000)}`);
  for (const { name, file, find, replace, tests } of chosen) {
    const place = path.join(copy, file);
    const text = readFileSync(place, 'utf8');
    writeFileSync(
      place,
      text.replace(find, () => replace),
    );
    const run = runTests(copy, tests, true);
    writeFileSync(place, text);
    const caught = !run.green && !isNoProgram(run.text);
    console.log(`${caught ? 'caught  ' : 'SURVIVED'}  ${name}`);
    if (caught) passed += 1;
    else failed.push(name);
    if (!run.green && !caught) console.log(run.text.slice(-1500));
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
