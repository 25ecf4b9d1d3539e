// The source files that our own checks read, as paths relative to the repository root with forward slashes.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');

const WORKSPACE_PARENTS = ['apps', 'packages'];
const SKIPPED = new Set(['node_modules', 'dist', 'out', '.next', '.turbo', 'fixtures', 'test-results']);

/** Reads every .ts, .tsx and .mjs file of the workspaces: `{ 'packages/core/src/x.ts': 'text' }`. */
export function readSourceFiles(root = ROOT) {
  const files = {};
  for (const top of [...WORKSPACE_PARENTS, 'e2e']) collect(root, top, files);
  return files;
}

/** Whether a file is a test or a helper only for tests. */
export function isTestFile(file) {
  return /\.test\.(ts|tsx|mjs)$/.test(file) || /\/(test|testing)\//.test(file) || file.startsWith('e2e/');
}

function collect(root, folder, files) {
  let entries = [];
  try {
    entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  for (const entry of entries) {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) collect(root, file, files);
    else if (entry.isFile() && /(?<!\.d)\.(ts|tsx|mjs)$/.test(entry.name)) {
      files[file] = readFileSync(path.join(root, file), 'utf8');
    }
  }
}
