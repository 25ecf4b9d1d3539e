// `npm test`: install, build, then lint, types, unit and integration tests, page tests. Every step runs even when
// an earlier one failed. The last line adds everything up. `--long` runs the slow variants too.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { outputOf, ROOT, run } from './process-tools.mjs';
import {
  ensureBuilt,
  ensureChromium,
  ensureGit,
  ensureInstalled,
  hasFileEndingWith,
  SetupError,
} from './setup.mjs';
import { closingLine, countExitCode, countPlaywright, countVitest, NOTHING, sum } from './test-report.mjs';

const MINUTE_MS = 60_000;
const isLong = process.argv.includes('--long');
const env = isLong ? { SKEIN_TEST_LONG: '1' } : {};
const timeoutMs = (isLong ? 60 : 25) * MINUTE_MS;
const reports = mkdtempSync(path.join(os.tmpdir(), 'skein-test-'));
const results = [];

await main();

async function main() {
  const ready = await step('setup', async () => {
    ensureGit();
    await ensureInstalled();
    return NOTHING;
  });
  if (ready) {
    const built = await step('build', async () => {
      await ensureBuilt();
      return NOTHING;
    });
    await step('lint', async () =>
      countExitCode(await run('npm', ['run', '--silent', 'lint'], { timeoutMs })),
    );
    await step('typecheck', typecheck);
    await step('unit and integration', () => vitest('vitest', []));
    // The same suite that attacks the listener, against the whole bridge as a process.
    await step('security of the bridge', () =>
      vitest('security', ['apps/bridge/test/security'], { SKEIN_SECURITY_TARGET: 'bridge' }),
    );
    if (isLong) await step('mutants', mutants);
    await step('page', () => (built ? pageTests() : { ...NOTHING, failed: 1 }));
  }
  rmSync(reports, { recursive: true, force: true });
  const total = sum(results.map(({ counts }) => counts));
  console.log('');
  for (const { name, counts } of results) console.log(`${name}: ${closingLine(counts)}`);
  console.log(closingLine(total));
  process.exitCode = total.failed > 0 ? 1 : 0;
}

/** Runs one step; a step that throws counts as one failure. Returns whether it went without any. */
async function step(name, work) {
  console.log(`\n--- ${name}`);
  let counts = { ...NOTHING, failed: 1 };
  try {
    counts = await work();
  } catch (error) {
    console.error(error instanceof SetupError ? `skein: ${error.message}` : error);
  }
  if (counts.passed + counts.failed + counts.skipped > 0) results.push({ name, counts });
  return counts.failed === 0;
}

async function typecheck() {
  const args = ['run', 'typecheck', '--output-logs=new-only', '--no-update-notifier'];
  return countExitCode(await run('turbo', args, { timeoutMs }));
}

async function mutants() {
  return countExitCode(await run(process.execPath, [path.join('scripts', 'mutants.mjs')], { timeoutMs }));
}

async function vitest(name, only, extraEnv = {}) {
  const file = path.join(reports, `${name}.json`);
  const args = ['run', ...only, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await run('vitest', args, { env: { ...env, ...extraEnv }, timeoutMs });
  return countVitest(readIfThere(file), code);
}

async function pageTests() {
  const tests = path.join(ROOT, 'e2e', 'tests');
  if (!['.spec.ts', '.test.ts'].some((ending) => hasFileEndingWith(tests, ending))) {
    console.log('there are no page tests');
    return NOTHING;
  }
  const config = ['--config', path.join('e2e', 'playwright.config.ts')];
  const chromium = await ensureChromium();
  if (!chromium) return { ...NOTHING, skipped: countListed(config) };
  const file = path.join(reports, 'playwright.json');
  const reporterEnv = { ...env, CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const code = await run('playwright', ['test', ...config, '--reporter=list,json'], {
    env: reporterEnv,
    timeoutMs,
  });
  return countPlaywright(readIfThere(file), code);
}

function countListed(config) {
  const listing = outputOf('playwright', ['test', ...config, '--list']) ?? '';
  return Number(/Total: (\d+) tests?/.exec(listing)?.[1] ?? 1);
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
