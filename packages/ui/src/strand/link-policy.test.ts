import { expect, test } from 'vitest';
import { safeLink, tellsHost } from './link-policy.ts';

test.each([
  'javascript:alert(1)',
  'JaVa\tscript:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://x/1',
  'about:blank',
  '//evil.example/x',
  '\\\\evil.example\\x',
  'https://user:password@evil.example/',
  'http://',
  '',
  '#top',
  '?s=1',
  'C:\\Windows\\x',
  'ms-settings:privacy',
])('%j is not opened', (href) => {
  expect(safeLink(href)).toEqual({ kind: 'blocked' });
});

test('web and mail addresses pass and tell their host', () => {
  expect(safeLink('https://nodejs.org/api')).toEqual({
    kind: 'web',
    href: 'https://nodejs.org/api',
    host: 'nodejs.org',
  });
  expect(safeLink('HTTP://127.0.0.1:4765/x')).toMatchObject({ host: '127.0.0.1:4765' });
  expect(safeLink('mailto:ana@acme.example')).toMatchObject({ host: 'ana@acme.example' });
  expect(safeLink('https://пример.example/')).toMatchObject({ host: 'xn--e1afmkfd.example' });
});

test('paths of the workspace are files, perhaps with a line', () => {
  expect(safeLink('src/a.ts')).toEqual({ kind: 'file', path: 'src/a.ts', line: null });
  expect(safeLink('src/a.ts:12:4')).toEqual({ kind: 'file', path: 'src/a.ts', line: 12 });
  expect(safeLink('/abs/a%20b.ts#L7-L9')).toEqual({ kind: 'file', path: '/abs/a b.ts', line: 7 });
});

test('a host is told once', () => {
  expect(tellsHost('https://nodejs.org/api', 'nodejs.org')).toBe(true);
  expect(tellsHost('docs on NodeJS.org', 'www.nodejs.org')).toBe(true);
  expect(tellsHost('click here', 'nodejs.org')).toBe(false);
});
