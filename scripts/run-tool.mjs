// `npm run bench`, `npm run screens` and the like: install and build if needed, then run scripts/NAME.mjs on the
// product's Node with the remaining arguments.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { productNode, ROOT, run } from './process-tools.mjs';
import { ensureBuilt, ensureChromium, ensureGit, ensureInstalled, SetupError } from './setup.mjs';

const [name = '', ...args] = process.argv.slice(2);
const NEEDS_BROWSER = new Set(['bench-page', 'screens']);

try {
  const script = path.join(ROOT, 'scripts', `${name}.mjs`);
  if (!existsSync(script)) throw new SetupError(`there is no scripts/${name}.mjs`);
  ensureGit();
  await ensureInstalled();
  await ensureBuilt();
  process.exitCode = await run(productNode(), [script, ...args], { env: await browserEnv() });
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`skein: ${error.message}`);
  process.exitCode = 1;
}

async function browserEnv() {
  if (!NEEDS_BROWSER.has(name)) return {};
  const chromium = await ensureChromium();
  if (!chromium) throw new SetupError(`${name} needs a Chromium or Chrome`);
  return { CHROMIUM: chromium };
}
