// `npm start`: install and build if needed, then run the bridge until it is stopped.
// `npm start -- --port 5000` passes arguments to `skein up`; `npm run skein -- ls` runs any other command.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { childEnv, productNode, ROOT } from './process-tools.mjs';
import { ensureBuilt, ensureGit, ensureInstalled, SetupError } from './setup.mjs';

const args = process.argv.slice(2);
const isRaw = args[0] === '--raw';
const skein = path.join(ROOT, 'apps', 'bridge', 'dist', 'skein.js');

try {
  ensureGit();
  await ensureInstalled();
  if (!(isRaw && existsSync(skein))) await ensureBuilt();
  runSkein(isRaw ? args.slice(1) : ['up', ...args]);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`skein: ${error.message}`);
  process.exitCode = 1;
}

function runSkein(skeinArgs) {
  // npm changes the folder to the repository; INIT_CWD is where the person stands.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  const child = spawn(productNode(), [skein, ...skeinArgs], { cwd, env: childEnv(), stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // Ctrl-C in a terminal reaches the whole group, so the child already has it.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once('error', (error) => {
    console.error(`skein: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));
}
