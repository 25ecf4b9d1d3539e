// The layer table of docs/architecture.md as code: which file may import what. Pure: text in, findings out.
// lint-layers.mjs reads the tree and prints; layer-rules.test.mjs breaks every rule once.

import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { isTestFile } from './source-files.mjs';

const L4 = new Set(['cli', 'api', 'http']);
const FILE_MODULES = /^node:(fs|child_process)(\/|$)/;
const SERVER_MODULES = /^(node:(http|https|http2)|ws|@trpc\/server)(\/|$)/;
const TEST_LIBRARIES = new Set(['vitest', 'fast-check', '@playwright/test', '@axe-core/playwright']);
const SHARED_L1_VALUES = /^apps\/bridge\/src\/platform\/(clock|ids)(\.ts$|\/)/;

/**
 * Checks every import of every file.
 * @param {Record<string, string>} files source text by path relative to the root
 * @param {Record<string, object>} manifests package.json contents by workspace folder ('' is the root)
 * @returns {{ file: string, rule: string, message: string }[]}
 */
export function checkLayers(files, manifests) {
  const findings = [];
  const graph = new Map();
  for (const [file, text] of Object.entries(files)) {
    const edges = [];
    for (const item of importsOf(file, text)) {
      const target = resolveImport(file, item.specifier, manifests);
      const broken = firstBrokenRule({ file, item, target, files, manifests });
      if (broken) findings.push({ file, ...broken });
      if (target.file && !item.typeOnly && target.file in files) edges.push(target.file);
    }
    graph.set(file, edges);
  }
  for (const cycle of findCycles(graph)) {
    findings.push({ file: cycle[0], rule: 'no-cycles', message: [...cycle, cycle[0]].join(' -> ') });
  }
  return findings;
}

/** Lists the imports and re-exports of one file. Literal dynamic imports count as value imports. */
function importsOf(file, text) {
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const found = [];
  for (const statement of module.staticImports) {
    const { entries, moduleRequest } = statement;
    const typeOnly = entries.length > 0 && entries.every((entry) => entry.isType);
    found.push({ specifier: moduleRequest.value, typeOnly });
  }
  for (const statement of module.staticExports) {
    const entries = statement.entries.filter((entry) => entry.moduleRequest);
    if (entries.length === 0) continue;
    found.push({
      specifier: entries[0].moduleRequest.value,
      typeOnly: entries.every((entry) => entry.isType),
    });
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^(['"`])([^'"`$]+)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end).trim());
    if (literal) found.push({ specifier: literal[2], typeOnly: false });
  }
  return found;
}

function resolveImport(file, specifier, manifests) {
  if (specifier.startsWith('.')) return { file: path.posix.join(path.posix.dirname(file), specifier) };
  const name = specifier.startsWith('@')
    ? specifier.split('/').slice(0, 2).join('/')
    : specifier.split('/')[0];
  for (const [folder, manifest] of Object.entries(manifests)) {
    if (folder === '' || manifest.name !== name) continue;
    return { package: name, file: resolveExport(folder, manifest, `.${specifier.slice(name.length)}`) };
  }
  return { package: name };
}

function resolveExport(folder, manifest, subpath) {
  const keys = Object.keys(manifest.exports ?? {}).sort((a, b) => b.length - a.length);
  for (const key of keys) {
    const [head, tail] = key.split('*');
    if (tail === undefined ? key !== subpath : !(subpath.startsWith(head) && subpath.endsWith(tail)))
      continue;
    const star = tail === undefined ? '' : subpath.slice(head.length, subpath.length - tail.length);
    return path.posix.join(folder, manifest.exports[key].replace('*', star));
  }
  return undefined;
}

function firstBrokenRule(context) {
  const checks = [checkPath, checkTestOnly, checkDeclared, checkWorkspace];
  for (const check of checks) {
    const broken = check({ ...context, from: placeOf(context.file) });
    if (broken) return broken;
  }
  return undefined;
}

/** Relative imports name a file with its extension and stay in their workspace. */
function checkPath({ file, item, target, files, from }) {
  if (!item.specifier.startsWith('.')) {
    if (target.package && !target.file && target.package.startsWith('@skein/')) {
      return { rule: 'exports-map', message: `${item.specifier} is not in the exports of ${target.package}` };
    }
    return undefined;
  }
  if (workspaceOf(target.file) !== from.workspace) {
    return {
      rule: 'workspace-border',
      message: `${item.specifier} leaves the workspace; use its package name`,
    };
  }
  const isSource = /\.(ts|tsx|mjs)$/.test(target.file);
  if (!isSource && !/\.(css|json|svg)$/.test(target.file)) {
    return { rule: 'file-extension', message: `${item.specifier} needs its .ts or .tsx extension` };
  }
  if (isSource && !(target.file in files)) {
    return { rule: 'missing-file', message: `${item.specifier} from ${file} does not exist` };
  }
  return undefined;
}

/** Production code never imports tests, test helpers or test libraries. */
function checkTestOnly({ file, item, target }) {
  if (isTestFile(file) || isConfigFile(file)) return undefined;
  const testTarget = target.file !== undefined && isTestFile(target.file);
  if (!testTarget && !TEST_LIBRARIES.has(target.package)) return undefined;
  return { rule: 'test-only', message: `${item.specifier} is for tests; production code may not import it` };
}

/** Packages are declared by the workspace that imports them. Tests may also use what the root declares. */
function checkDeclared({ file, item, target, from, manifests }) {
  if (!target.package || item.specifier.startsWith('node:')) return undefined;
  const own = manifests[from.workspace] ?? {};
  const lists = [own.dependencies, own.peerDependencies, { [own.name]: '' }];
  if (item.typeOnly || isTestFile(file) || isConfigFile(file)) lists.push(own.devDependencies);
  if (isTestFile(file) || isConfigFile(file)) lists.push(manifests['']?.devDependencies);
  if (lists.some((list) => target.package in (list ?? {}))) return undefined;
  return { rule: 'declared', message: `${target.package} is not a dependency of ${from.workspace}` };
}

function checkWorkspace(context) {
  if (isConfigFile(context.file)) return undefined;
  if (context.from.workspace === 'packages/core') return checkCore(context);
  if (context.from.workspace === 'packages/ui') return checkUi(context);
  if (context.from.workspace === 'apps/web') return checkWeb(context);
  if (context.from.workspace === 'e2e') return checkE2e(context);
  return isTestFile(context.file) ? checkBridgeTest(context) : checkBridge(context);
}

function checkCore({ file, item, target }) {
  if (item.specifier.startsWith('.') || ['zod', '@skein/core'].includes(target.package)) return undefined;
  if (isTestFile(file) && (TEST_LIBRARIES.has(target.package) || item.specifier.startsWith('node:'))) {
    return undefined;
  }
  return { rule: 'core-is-pure', message: `core imports only core and zod, not ${item.specifier}` };
}

function checkUi({ file, item, target }) {
  const ours = target.package?.startsWith('@skein/') && !/^@skein\/(core|ui)$/.test(target.package);
  const node = item.specifier.startsWith('node:') && !isTestFile(file);
  const network = /^(@trpc\/|@tanstack\/react-query|next$|zod$)/.test(target.package ?? '');
  if (!ours && !node && !network) return undefined;
  return {
    rule: 'ui-is-props-only',
    message: `ui imports only core and React libraries, not ${item.specifier}`,
  };
}

function checkWeb({ file, item, target }) {
  if (item.specifier.startsWith('node:') && !isTestFile(file)) {
    return { rule: 'web-runs-in-a-page', message: `${item.specifier} does not exist in a page` };
  }
  if (target.package === '@skein/bridge' && !(item.typeOnly && item.specifier === '@skein/bridge/router')) {
    return {
      rule: 'web-bridge-types-only',
      message: "only `import type` from '@skein/bridge/router' is allowed",
    };
  }
  return undefined;
}

function checkE2e({ item, target }) {
  if (!target.package?.startsWith('@skein/')) return undefined;
  if (item.specifier.startsWith('@skein/core/testing/')) return undefined;
  return { rule: 'e2e-is-outside', message: `e2e uses the product from outside, not ${item.specifier}` };
}

function checkBridgeTest({ item, target }) {
  if (!/^@skein\/(web|ui|e2e)$/.test(target.package ?? '')) return undefined;
  return { rule: 'bridge-has-no-page', message: `the bridge does not import ${item.specifier}` };
}

function checkBridge({ file, item, target, from }) {
  if (from.layer === 'main') return undefined;
  const { specifier } = item;
  if (FILE_MODULES.test(specifier) && from.layer !== 'L1') {
    return { rule: 'files-in-platform-only', message: `${specifier} belongs in apps/bridge/src/platform` };
  }
  if (SERVER_MODULES.test(specifier) && !item.typeOnly && from.layer !== 'L1' && from.layer !== 'L4') {
    return { rule: 'server-in-l4-only', message: `${specifier} belongs in http, api, cli or platform` };
  }
  if (/^@skein\/(web|ui|e2e)$/.test(target.package ?? '')) {
    const isExport = from.layer === 'L3' && from.unit.startsWith('export') && target.package === '@skein/ui';
    if (isExport) return undefined;
    return { rule: 'bridge-has-no-page', message: `the bridge does not import ${specifier}` };
  }
  if (!specifier.startsWith('.')) return undefined;
  return checkBridgeLayer({ file, item, to: placeOf(target.file), from, target });
}

function checkBridgeLayer({ item, to, from, target }) {
  if (from.layer === to.layer && from.unit === to.unit) return undefined;
  const check = BRIDGE_LAYERS[from.layer];
  const broken =
    to.layer === 'main' ? ['nothing-imports-main', 'main.ts wires; nobody imports it'] : undefined;
  const [rule, message] = broken ?? check({ item, to, from, target }) ?? [];
  return rule ? { rule, message: `${message} (${item.specifier})` } : undefined;
}

const CONFIG_FROM_OUTSIDE = ['config-from-outside', 'settings are passed in by main.ts'];

/** One function per row of the layer table: what is wrong with an import from this layer, if anything. */
const BRIDGE_LAYERS = {
  config: () => ['config-is-a-leaf', 'config.ts imports nothing of the bridge'],
  L1: () => ['l1-imports-nothing', 'platform imports nothing of ours'],
  L2: ({ to, from }) => {
    if (to.layer === 'L1') return undefined;
    if (to.layer === 'config') return CONFIG_FROM_OUTSIDE;
    if (to.layer !== 'L2') return ['never-upwards', `L2 may not import ${to.layer}`];
    return ['never-another-l2', `${from.unit} may not import ${to.unit}; a flow brings them together`];
  },
  L3: ({ item, to, from, target }) => {
    if (to.layer === 'config') return CONFIG_FROM_OUTSIDE;
    if (to.layer === 'L3') return ['never-another-flow', `flow ${from.unit} may not import ${to.unit}`];
    if (to.layer === 'L4') return ['never-upwards', 'a flow may not import L4'];
    if (to.layer !== 'L1' || item.typeOnly || SHARED_L1_VALUES.test(target.file)) return undefined;
    return ['l3-clock-and-ids-only', 'of platform a flow imports only clock and ids'];
  },
  L4: ({ item, to }) => {
    if (item.typeOnly || (to.layer !== 'L2' && to.layer !== 'L1')) return undefined;
    return ['l4-through-flows', `L4 imports only types of ${to.layer}; call a flow`];
  },
};

/** Where a file stands: its workspace, and in the bridge its layer and unit (folder, or flow). */
function placeOf(file) {
  const workspace = workspaceOf(file);
  const inside = file.slice(`${workspace}/src/`.length);
  if (workspace !== 'apps/bridge') return { workspace, layer: workspace, unit: '' };
  // The composition root: main.ts and the files it is cut into.
  if (inside === 'main.ts' || inside.startsWith('compose/')) return { workspace, layer: 'main', unit: '' };
  if (inside === 'config.ts') return { workspace, layer: 'config', unit: '' };
  const [folder, next = ''] = inside.split('/');
  if (folder === 'platform') return { workspace, layer: 'L1', unit: '' };
  if (L4.has(folder)) return { workspace, layer: 'L4', unit: folder };
  if (folder === 'flows') return { workspace, layer: 'L3', unit: next.replace(/\.tsx?$/, '') };
  return { workspace, layer: 'L2', unit: folder };
}

function workspaceOf(file) {
  const parts = file.split('/');
  return parts[0] === 'e2e' ? 'e2e' : parts.slice(0, 2).join('/');
}

function isConfigFile(file) {
  return /(\.config\.(ts|mjs)|\/build\.mjs)$/.test(file);
}

/** Depth-first search; every cycle is reported once, starting at its first file in alphabetical order. */
function findCycles(graph) {
  const state = new Map();
  const cycles = new Map();
  const stack = [];
  const visit = (file) => {
    state.set(file, 'open');
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (state.get(next) === 'open') {
        const cycle = rotate(stack.slice(stack.indexOf(next)));
        cycles.set(cycle.join(), cycle);
      } else if (!state.has(next)) visit(next);
    }
    stack.pop();
    state.set(file, 'done');
  };
  for (const file of graph.keys()) if (!state.has(file)) visit(file);
  return [...cycles.values()];
}

function rotate(cycle) {
  const start = cycle.indexOf([...cycle].sort()[0]);
  return [...cycle.slice(start), ...cycle.slice(0, start)];
}
