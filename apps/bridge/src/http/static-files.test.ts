import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { inlineScriptHashes, pagePolicy } from './content-policy.ts';
import { openStaticFiles } from './static-files.ts';

const file = (path: string, text: string) => {
  const bytes = new TextEncoder().encode(text);
  let reads = 0;
  return {
    path,
    bytes: bytes.length,
    read: async () => {
      reads += 1;
      return bytes;
    },
    reads: () => reads,
  };
};

const LONG = 'body { color: red }\n'.repeat(100);
const site = () => {
  const style = file('_next/static/a.css', LONG);
  const files = [
    file('index.html', '<p>home'),
    file('404.html', '<p>nothing'),
    file('_not-found.html', '<p>inner'),
    file('docs/index.html', '<p>docs'),
    file('index.txt', 'rsc'),
    file('a b.svg', '<svg/>'),
    style,
    { path: 'gone.js', bytes: 1, read: async () => null },
  ];
  return { files: openStaticFiles(files), style };
};

describe('a path', () => {
  test('finds the file, its html, or the index of a folder', async () => {
    const { files } = site();
    const pages = [
      '/',
      '/index',
      '/index.html',
      '/_not-found',
      '/docs',
      '/docs/',
      '/index.txt',
      '/a%20b.svg',
    ];
    for (const path of pages) expect(await files.find(path), path).not.toBeNull();
  });

  test('that is not in the list is nothing, also when the file has gone', async () => {
    const { files } = site();
    const none = [
      '/x',
      '/../index.html',
      '/docs/../index.html',
      '/%2e%2e/x',
      '/%',
      '/constructor',
      '/gone.js',
      '/\u0000',
    ];
    for (const path of none) expect(await files.find(path), path).toBeNull();
    expect(await files.notFoundPage()).not.toBeNull();
  });
});

test('text is compressed once per encoding and equals the file', async () => {
  const { files, style } = site();
  const answer = await files.find('/_next/static/a.css');
  const br = await answer?.encoded('gzip, deflate, br');
  const gz = await answer?.encoded('gzip, br;q=0');
  const plain = await answer?.encoded('');
  expect([br?.encoding, gz?.encoding, plain?.encoding]).toEqual(['br', 'gzip', null]);
  expect(brotliDecompressSync(br?.bytes ?? '').toString()).toBe(LONG);
  expect(gunzipSync(gz?.bytes ?? '').toString()).toBe(LONG);
  expect((await answer?.encoded('br'))?.bytes).toBe(br?.bytes);
  expect(br?.bytes.length).toBeLessThan(LONG.length / 5);
  await files.find('/_next/static/a.css');
  expect(style.reads()).toBe(1);
});

test('a file that could not be read once is read again', async () => {
  let tries = 0;
  const read = async () => {
    tries += 1;
    if (tries === 1) throw new Error('too many open files');
    return new TextEncoder().encode('<p>home');
  };
  const files = openStaticFiles([{ path: 'index.html', bytes: 7, read }]);
  await expect(files.find('/')).rejects.toThrow('too many open files');
  expect(await files.find('/')).toMatchObject({ isPage: true });
  await files.find('/');
  expect(tries).toBe(2);
});

test('only what is named by its content is kept without asking again', async () => {
  const { files } = site();
  expect((await files.find('/_next/static/a.css'))?.immutable).toBe(true);
  expect((await files.find('/'))?.immutable).toBe(false);
  expect((await files.find('/a%20b.svg'))?.type).toBe('image/svg+xml');
});

test('every inline script of a page is in its policy, byte for byte, and no other', () => {
  const html = `<script>a < b && "\n</b>"</script><SCRIPT id="x">b</SCRIPT>
    <script src="/x.js"></script><script async="" src='/y.js'>ignored</script><script>b</script>`;
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const hashes = inlineScriptHashes(html);
  expect(hashes).toEqual([hash('a < b && "\n</b>"'), hash('b')]);
  const policy = pagePolicy(hashes, '127.0.0.1:1');
  expect(policy).toContain(`script-src 'self' ${hashes.join(' ')};`);
  expect(policy).toContain("connect-src 'self' ws://127.0.0.1:1;");
  expect(policy).not.toContain('unsafe-eval');
});
