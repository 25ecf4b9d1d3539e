// Brings a fresh clone to where it can run: git checked, packages installed, everything built, a browser found.
// Each step says what it does and does nothing when there is nothing to do.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hasOwnNode, OLDEST_NODE, outputOf, productNode, ROOT, run } from './process-tools.mjs';

const OLDEST_GIT = [2, 30];
const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const CHROMIUM_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** A problem whose message is all that a person needs; scripts print it without a stack. */
export class SetupError extends Error {}

/** Fails with a clear message unless a recent enough git is on PATH. */
export function ensureGit() {
  const version = /(\d+)\.(\d+)/.exec(outputOf('git', ['--version']) ?? '');
  const wanted = OLDEST_GIT.join('.');
  if (!version) throw new SetupError(`Skein needs git ${wanted} or newer, and there is no git on PATH.`);
  const [major, minor] = [Number(version[1]), Number(version[2])];
  if (major > OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor >= OLDEST_GIT[1])) return;
  throw new SetupError(`Skein needs git ${wanted} or newer; this is git ${version[0]}.`);
}

/** Installs the packages when node_modules is missing or does not match package-lock.json. */
export async function ensureInstalled() {
  const mismatch = installMismatch(ROOT);
  if (mismatch) {
    const fresh = !existsSync(path.join(ROOT, 'node_modules'));
    // Without install scripts: npm would compile better-sqlite3, which ships its binaries, on a machine that may have
    // neither a compiler nor the headers of Node.
    const args = [
      fresh ? 'ci' : 'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    console.log(`skein: installing packages, which takes about a minute (${mismatch})`);
    const code = await run('npm', args);
    if (code !== 0) {
      throw new SetupError(
        `npm ${args[0]} failed with exit code ${code}. The packages come from the npm registry: ` +
          'check the network and proxy settings, and run it again. Nothing else was changed.',
      );
    }
  }
  if (mismatch || !hasOwnNode()) await runInstallScripts();
  if (productNode()) return;
  throw new SetupError(
    `Skein runs on Node ${OLDEST_NODE} or newer; this is Node ${process.versions.node}, and the local copy ` +
      'of Node is missing. Run "npm rebuild node".',
  );
}

/** The two packages whose install script puts a program in place. */
async function runInstallScripts() {
  const code = await run('npm', ['rebuild', 'node', 'esbuild', '--loglevel=error']);
  if (code === 0) return;
  throw new SetupError(`npm rebuild node esbuild failed with exit code ${code}. Run it again to see more.`);
}

/** Why the installed packages are not those of the lockfile, or undefined when they are. */
export function installMismatch(root) {
  const wanted = readJson(path.join(root, 'package-lock.json'))?.packages;
  if (!wanted) return 'there is no lockfile';
  const installed = readJson(path.join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!installed) return 'not installed yet';
  for (const [key, entry] of Object.entries(wanted)) {
    if (!key.includes('node_modules/')) continue;
    if (entry.link) {
      if (!existsSync(path.join(root, key))) return `${key} is not linked`;
    } else if (!entry.optional && installed[key]?.version !== entry.version) {
      return `${key} should be ${entry.version}`;
    }
  }
  return undefined;
}

/** Builds the page and the bridge; a build whose inputs did not change is taken from the cache. */
export async function ensureBuilt() {
  console.log('skein: building what changed');
  const code = await run('turbo', [
    'run',
    'build',
    '--output-logs=errors-only',
    '--no-update-notifier',
    '--log-order=grouped',
  ]);
  if (code !== 0) throw new SetupError(`The build failed with exit code ${code}.`);
}

/** The path of a Chromium or Chrome, installed if this is root on Debian; undefined when there is none. */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  const canInstall = process.getuid?.() === 0 && outputOf('apt-get', ['--version']) !== undefined;
  if (canInstall) {
    console.log('skein: installing chromium for the page tests');
    const lock = ['-o', 'DPkg::Lock::Timeout=200'];
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq', ...lock], { env });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...lock, 'chromium'], { env });
  }
  const installed = findChromium();
  if (!installed) {
    console.log('skein: no Chromium or Chrome found. Install one, or set CHROMIUM to its path.');
  }
  return installed;
}

function findChromium() {
  if (process.env.CHROMIUM && existsSync(process.env.CHROMIUM)) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = CHROMIUM_NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...candidates, ...CHROMIUM_PATHS].find((file) => existsSync(file));
}

/** Whether a folder holds a file that ends so, at any depth. */
export function hasFileEndingWith(folder, ending) {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith(ending));
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
