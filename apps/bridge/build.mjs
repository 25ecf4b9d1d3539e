// Builds dist/: the version check (skein.js), the bridge in one file (main.js), the watchdog, and the page (web/).

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const from = (...parts) => path.join(here, ...parts);
const version = JSON.parse(readFileSync(from('package.json'), 'utf8')).version;

const ENTRIES = ['src/main.ts', 'src/watchdog/watchdog.ts', ...workers()];

// Old syntax on purpose: an old Node must be able to read this file in order to print the message.
const SHIM = `#!/usr/bin/env node
var major = parseInt(process.versions.node.split('.')[0], 10);
if (major >= 22) {
  import('node:module').then(function (module) {
    // Compiled code is kept beside the program, which halves the time to start; where that folder cannot be
    // written there is no cache and nothing is said.
    if (module.enableCompileCache) module.enableCompileCache(import.meta.dirname + '/.compile-cache');
    return import('./main.js');
  }).catch(function (error) {
    console.error(error);
    process.exit(1);
  });
} else {
  console.error('skein needs Node 22 or newer, and this is Node ' + process.versions.node + '.');
  process.exit(1);
}
`;

rmSync(from('dist'), { recursive: true, force: true });
mkdirSync(from('dist'), { recursive: true });

await build({
  absWorkingDir: here,
  entryPoints: ENTRIES.filter((file) => existsSync(from(file))).map((file) => ({
    in: file,
    out: path.basename(file, '.ts'),
  })),
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  // What is imported on demand (model SDKs above all) stays out of the start.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  target: 'node22',
  external: ['better-sqlite3'],
  banner: {
    js: "import{createRequire as __skeinCreateRequire}from'node:module';const require=__skeinCreateRequire(import.meta.url);",
  },
  define: { 'process.env.SKEIN_BUILD_VERSION': JSON.stringify(version) },
  legalComments: 'none',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
});

writeFileSync(from('dist/skein.js'), SHIM, { mode: 0o755 });
writeFileSync(from('dist/package.json'), `${JSON.stringify({ type: 'module', version })}\n`);

const page = from('../web/out');
if (existsSync(page)) cpSync(page, from('dist/web'), { recursive: true });

// Worker threads need a file of their own: each "-worker.ts" under src becomes one in dist.
function workers() {
  return readdirSync(from('src'), { recursive: true })
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('-worker.ts'))
    .sort();
}
