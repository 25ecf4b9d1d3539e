import { expect, test } from 'vitest';
import { checkLayers } from './layer-rules.mjs';

const MANIFESTS = {
  '': { name: 'root', devDependencies: { vitest: '1' } },
  'packages/core': {
    name: '@skein/core',
    exports: { './record/*': './src/record/*.ts', './testing/*': './src/testing/*.ts' },
    dependencies: { zod: '1', react: '1' },
  },
  'packages/ui': {
    name: '@skein/ui',
    exports: { './*': './src/*.tsx' },
    dependencies: { '@skein/core': '*', react: '1', '@trpc/client': '1', '@skein/bridge': '*' },
  },
  'apps/bridge': {
    name: '@skein/bridge',
    exports: { './router': './src/api/router.ts' },
    dependencies: { '@skein/core': '*', '@skein/ui': '*', ws: '1', '@trpc/server': '1' },
  },
  'apps/web': {
    name: '@skein/web',
    dependencies: { '@skein/core': '*', '@skein/ui': '*' },
    devDependencies: { '@skein/bridge': '*' },
  },
  e2e: {
    name: '@skein/e2e',
    dependencies: { '@skein/core': '*', '@skein/bridge': '*', '@playwright/test': '1' },
  },
};

const TREE = {
  'packages/core/src/record/ids.ts': 'export const id = 1;',
  'packages/core/src/testing/fake.ts': 'export const fake = 1;',
  'packages/ui/src/button.tsx': 'export const button = 1;',
  'apps/bridge/src/main.ts': 'export const main = 1;',
  'apps/bridge/src/config.ts': 'export const config = 1;',
  'apps/bridge/src/api/router.ts': 'export const router = 1;',
  'apps/bridge/src/http/listener.ts': 'export const listener = 1;',
  'apps/bridge/src/flows/fork.ts': 'export const fork = 1;',
  'apps/bridge/src/flows/export.ts': 'export const exportStrand = 1;',
  'apps/bridge/src/strands/store.ts': 'export const store = 1;',
  'apps/bridge/src/snapshots/take.ts': 'export const take = 1;',
  'apps/bridge/src/platform/git.ts': 'export const git = 1;',
  'apps/bridge/src/platform/clock.ts': 'export const clock = 1;',
};

const rulesFor = (file, text) => checkLayers({ ...TREE, [file]: text }, MANIFESTS).map(({ rule }) => rule);

const BROKEN = [
  ['core-is-pure', 'packages/core/src/record/x.ts', "import react from 'react';"],
  ['core-is-pure', 'packages/core/src/record/x.ts', "import path from 'node:path';"],
  ['ui-is-props-only', 'packages/ui/src/x.tsx', "import { c } from '@trpc/client';"],
  ['ui-is-props-only', 'packages/ui/src/x.tsx', "import type { R } from '@skein/bridge/router';"],
  ['web-bridge-types-only', 'apps/web/src/x.test.ts', "import { router } from '@skein/bridge/router';"],
  ['web-runs-in-a-page', 'apps/web/src/x.ts', "import { join } from 'node:path';"],
  ['e2e-is-outside', 'e2e/tests/x.ts', "import type { R } from '@skein/bridge/router';"],
  ['e2e-is-outside', 'e2e/tests/x.ts', "import { id } from '@skein/core/record/ids';"],
  ['files-in-platform-only', 'apps/bridge/src/strands/x.ts', "import { readFile } from 'node:fs/promises';"],
  ['files-in-platform-only', 'apps/bridge/src/http/x.ts', "import { spawn } from 'node:child_process';"],
  ['files-in-platform-only', 'apps/bridge/src/flows/x.ts', "const fs = await import('node:fs');"],
  ['server-in-l4-only', 'apps/bridge/src/strands/x.ts', "import { createServer } from 'node:http';"],
  ['server-in-l4-only', 'apps/bridge/src/flows/x.ts', "import { initTRPC } from '@trpc/server';"],
  ['bridge-has-no-page', 'apps/bridge/src/flows/x.ts', "import { button } from '@skein/ui/button';"],
  ['never-another-l2', 'apps/bridge/src/strands/x.ts', "import { take } from '../snapshots/take.ts';"],
  ['never-another-l2', 'apps/bridge/src/strands/x.ts', "import type { T } from '../snapshots/take.ts';"],
  ['never-another-l2', 'apps/bridge/src/strands/x.ts', "export { take } from '../snapshots/take.ts';"],
  ['never-another-flow', 'apps/bridge/src/flows/x.ts', "import { fork } from './fork.ts';"],
  ['never-upwards', 'apps/bridge/src/strands/x.ts', "import { fork } from '../flows/fork.ts';"],
  ['never-upwards', 'apps/bridge/src/flows/x.ts', "import type { R } from '../api/router.ts';"],
  ['l1-imports-nothing', 'apps/bridge/src/platform/x.ts', "import { store } from '../strands/store.ts';"],
  ['l3-clock-and-ids-only', 'apps/bridge/src/flows/x.ts', "import { git } from '../platform/git.ts';"],
  ['l4-through-flows', 'apps/bridge/src/api/x.ts', "import { store } from '../strands/store.ts';"],
  ['l4-through-flows', 'apps/bridge/src/cli/x.ts', "import { git } from '../platform/git.ts';"],
  ['nothing-imports-main', 'apps/bridge/src/cli/x.ts', "import { main } from '../main.ts';"],
  ['config-from-outside', 'apps/bridge/src/strands/x.ts', "import { config } from '../config.ts';"],
  ['config-is-a-leaf', 'apps/bridge/src/config.ts', "import { git } from './platform/git.ts';"],
  ['test-only', 'apps/bridge/src/flows/x.ts', "import { fake } from '@skein/core/testing/fake';"],
  ['test-only', 'packages/core/src/record/x.ts', "import { expect } from 'vitest';"],
  ['declared', 'apps/web/src/x.ts', "import { z } from 'zod';"],
  ['exports-map', 'apps/web/src/x.ts', "import { x } from '@skein/core/secret/x';"],
  ['workspace-border', 'apps/web/src/x.ts', "import { id } from '../../../packages/core/src/record/ids.ts';"],
  ['file-extension', 'packages/core/src/record/x.ts', "import { id } from './ids';"],
  ['missing-file', 'packages/core/src/record/x.ts', "import { id } from './gone.ts';"],
  ['no-cycles', 'packages/core/src/record/x.ts', "import { x } from './x.ts';\nexport { x };"],
];

test.each(BROKEN)('%s is reported for %s: %s', (rule, file, text) => {
  expect(rulesFor(file, text)).toEqual([rule]);
});

const ALLOWED = [
  [
    'apps/bridge/src/main.ts',
    "import { store } from './strands/store.ts';\nimport { readFile } from 'node:fs';",
  ],
  ['apps/bridge/src/api/x.ts', "import { fork } from '../flows/fork.ts';\nimport { t } from '@trpc/server';"],
  ['apps/bridge/src/api/x.ts', "import type { Store } from '../strands/store.ts';"],
  ['apps/bridge/src/cli/x.ts', "import { config } from '../config.ts';\nimport WebSocket from 'ws';"],
  ['apps/bridge/src/flows/x.ts', "import { store } from '../strands/store.ts';"],
  ['apps/bridge/src/flows/x.ts', "import { clock } from '../platform/clock.ts';"],
  ['apps/bridge/src/flows/x.ts', "import type { Git } from '../platform/git.ts';"],
  ['apps/bridge/src/flows/export.ts', "import { button } from '@skein/ui/button';"],
  ['apps/bridge/src/strands/x.ts', "import { git } from '../platform/git.ts';"],
  ['apps/bridge/src/strands/x.ts', "import { store } from './store.ts';"],
  ['apps/bridge/src/platform/x.ts', "import { spawn } from 'node:child_process';"],
  ['apps/bridge/src/strands/x.test.ts', "import { fake } from '@skein/core/testing/fake';"],
  ['apps/bridge/test/x.test.ts', "import { fork } from '../src/flows/fork.ts';\nimport 'node:fs';"],
  ['apps/web/src/x.ts', "import type { AppRouter } from '@skein/bridge/router';"],
  ['packages/core/src/record/x.ts', "import { z } from 'zod';\nimport { id } from './ids.ts';"],
  ['e2e/tests/x.ts', "import { fake } from '@skein/core/testing/fake';\nimport 'node:fs';"],
];

test.each(ALLOWED)('%s may hold: %s', (file, text) => {
  expect(rulesFor(file, text)).toEqual([]);
});

test('a cycle over three files is reported once', () => {
  const files = {
    'packages/core/src/a.ts': "import { b } from './b.ts'; export const a = b;",
    'packages/core/src/b.ts': "import { c } from './c.ts'; export const b = c;",
    'packages/core/src/c.ts': "import { a } from './a.ts'; export const c = a;",
  };
  const findings = checkLayers(files, MANIFESTS);
  expect(findings.map(({ message }) => message)).toEqual([
    'packages/core/src/a.ts -> packages/core/src/b.ts -> packages/core/src/c.ts -> packages/core/src/a.ts',
  ]);
});
