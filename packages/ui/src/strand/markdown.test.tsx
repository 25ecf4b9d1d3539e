import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './markdown.tsx';

const render = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

/** TRAPS A54, T11: what a model or a file of a stranger may write. */
const HOSTILE = [
  '</script><script>window.__pwn=1</script>',
  '<!-- <script>window.__pwn=1</script> -->',
  '<svg onload=window.__pwn=1>',
  '<img src=x onerror=window.__pwn=1>',
  '<iframe srcdoc="<script>window.__pwn=1</script>"></iframe>',
  '[x](javascript:window.__pwn=1)',
  '[x](JaVa\tscript:window.__pwn=1)',
  '[x](&#106;avascript:window.__pwn=1)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](javascript:window.__pwn=1)',
  '![x](https://tracker.example/pixel.png)',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '<https://evil.example/"onmouseover="window.__pwn=1>',
  '[a"onmouseover="x](https://evil.example)',
  '[x]: javascript:window.__pwn=1\n\n[x]',
  '```"><script>window.__pwn=1</script>\ncode\n```',
  '`<script>window.__pwn=1</script>`',
  '| <script>a</script> | b |\n|---|---|\n| <img src=x onerror=a> | c |',
  '<a href="javascript:1" target=_self>x</a>',
  '<style>@import "https://evil.example"</style>',
];

test.each(HOSTILE)('%j runs nothing and loads nothing', (text) => {
  const html = render(text);
  expect(html).not.toMatch(/<(script|iframe|object|embed|style|svg onload|form|link|meta|base)\b/i);
  expect(html).not.toMatch(/<img\b/i);
  expect(html).not.toMatch(/<[^>]*\son\w+=/i);
  expect(html).not.toMatch(/<[^>]*(href|src)="(?!https?:|mailto:)/i);
  for (const [anchor] of html.matchAll(/<a\b[^>]*>/g)) {
    expect(anchor).toContain('rel="noopener noreferrer"');
    expect(anchor).toContain('target="_blank"');
  }
});

test('raw HTML is shown as text', () => {
  expect(render('a <b>bold</b> word').replace(/<[^>]*>/g, '')).toBe('a &lt;b&gt;bold&lt;/b&gt; word');
});

test('a link says its host, unless its text does', () => {
  expect(render('[docs](https://nodejs.org/api)')).toContain('(nodejs.org)');
  expect(render('https://nodejs.org/api')).not.toContain('(nodejs.org)');
  expect(render('[https://bank.example](https://evil.example)')).toContain('(evil.example)');
});

test('a remote picture is a link with its description', () => {
  const html = render('![the plan](https://cdn.example/plan.png)');
  expect(html).toContain('href="https://cdn.example/plan.png"');
  expect(html).toContain('the plan');
});

test('the marks of GitHub work: tables, tasks, lines through words, bare addresses, footnotes', () => {
  const html = render(
    '| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n~~no~~ www.acme.example [^1] and ~5 ~6\n\n[^1]: note',
  );
  expect(html).toContain('<th class="px-2.5 py-1 font-medium text-center">a</th>');
  expect(html).toContain('aria-label="done"');
  expect(html).toContain('<del>no</del>');
  expect(html).toContain('href="http://www.acme.example/"');
  expect(html).toContain('~5 ~6');
  expect(html).toContain('[1]');
});

test('code keeps its text exactly', () => {
  const html = render('```ts\nif (a < b && c) {}\n```');
  expect(html).toContain('if (a &lt; b &amp;&amp; c) {}');
});

test.each(['a', ' ', '*', '[', '`', '\\', '> ', '- ', '![', '|', '~~', '<', '&', '_', '#', '[](', '**a '])(
  '50 KB of %j end soon',
  (piece) => {
    const started = performance.now();
    render(piece.repeat(Math.ceil(50_000 / piece.length)));
    // A generous bound: a quadratic parser takes minutes.
    expect(performance.now() - started).toBeLessThan(15_000);
  },
);
