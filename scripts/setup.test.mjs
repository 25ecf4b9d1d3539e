import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { installMismatch } from './setup.mjs';

const roots = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

function rootWith(wanted, installed) {
  const root = mkdtempSync(path.join(os.tmpdir(), 'skein-setup-'));
  roots.push(root);
  writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  if (installed) {
    mkdirSync(path.join(root, 'node_modules'));
    writeFileSync(
      path.join(root, 'node_modules', '.package-lock.json'),
      JSON.stringify({ packages: installed }),
    );
  }
  return root;
}

test('a clone without packages is not installed', () => {
  expect(installMismatch(rootWith({ '': {} }))).toBe('not installed yet');
});

test('a package of another version is a mismatch', () => {
  const root = rootWith({ 'node_modules/a': { version: '2' } }, { 'node_modules/a': { version: '1' } });
  expect(installMismatch(root)).toBe('node_modules/a should be 2');
});

test('a workspace that is not linked yet is a mismatch', () => {
  const root = rootWith({ 'node_modules/@skein/x': { link: true, resolved: 'packages/x' } }, {});
  expect(installMismatch(root)).toBe('node_modules/@skein/x is not linked');
});

test('binaries for other platforms and the workspaces themselves are not expected', () => {
  const wanted = {
    '': {},
    'packages/x': { version: '1' },
    'node_modules/a': { version: '1' },
    'node_modules/a-other-os': { version: '1', optional: true },
  };
  expect(installMismatch(rootWith(wanted, { 'node_modules/a': { version: '1' } }))).toBeUndefined();
});
