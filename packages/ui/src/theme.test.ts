import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8');

/** Linear light of an opaque `oklch(L C H)`, by the matrices of CSS Color 4. */
function linear(l: number, c: number, h: number): readonly [number, number, number] {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const [x, y, z] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  return [
    clamp(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z),
    clamp(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z),
    clamp(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z),
  ];
}

function rgb(name: string, theme: 'light' | 'dark'): readonly [number, number, number] {
  const match = new RegExp(`${name}: light-dark\\(oklch\\(([^)]+)\\), oklch\\(([^)]+)\\)\\)`).exec(css);
  const text = match?.[theme === 'light' ? 1 : 2];
  if (text === undefined || text.includes('/')) throw new Error(`${name} is not an opaque colour`);
  const [l = 0, c = 0, h = 0] = text.split(/\s+/).map(Number);
  return linear(l, c, h);
}

function luminance(name: string, theme: 'light' | 'dark'): number {
  const [red, green, blue] = rgb(name, theme);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string, theme: 'light' | 'dark'): number {
  const [low = 0, high = 0] = [luminance(a, theme), luminance(b, theme)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** The ground of a selected row: a translucent layer, mixed as browsers do, in sRGB. */
function mixed(layer: string, ground: string, theme: 'light' | 'dark'): number {
  const match = new RegExp(`${layer}: light-dark\\(oklch\\(([^)]+)\\), oklch\\(([^)]+)\\)\\)`).exec(css);
  const [colour = '', alpha = '1'] = (match?.[theme === 'light' ? 1 : 2] ?? '').split(' / ');
  const [l = 0, c = 0, h = 0] = colour.split(' ').map(Number);
  const over = linear(l, c, h).map(encoded);
  const share = Number(alpha);
  const channels = rgb(ground, theme).map(
    (value, index) => (over[index] ?? 0) * share + encoded(value) * (1 - share),
  );
  const [red = 0, green = 0, blue = 0] = channels.map(decoded);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const encoded = (value: number) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
const decoded = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

const TEXT = ['--text', '--text-2', '--text-3', '--accent-text', '--add', '--del', '--warn'];
const CODE = ['keyword', 'string', 'constant', 'function', 'parameter'].map((name) => `--code-${name}`);
const GROUNDS = ['--bg', '--bg-raised', '--bg-sunken'];

for (const theme of ['light', 'dark'] as const) {
  test(`every text of the ${theme} theme has a contrast of 4.5 on every ground`, () => {
    const weak = [...TEXT, ...CODE].flatMap((text) =>
      GROUNDS.flatMap((ground) => {
        const value = contrast(text, ground, theme);
        return value < 4.5 ? [`${text} on ${ground}: ${value.toFixed(2)}`] : [];
      }),
    );
    const pairs: readonly (readonly [string, string])[] = [
      ['--on-accent', '--accent-fill'],
      ['--text', '--add-bg'],
      ['--text', '--add-mark'],
      ['--text', '--del-bg'],
      ['--text', '--del-mark'],
      ['--text-3', '--add-bg'],
      ['--text-3', '--del-bg'],
      ['--add', '--add-bg'],
      ['--del', '--del-bg'],
      ['--warn', '--warn-bg'],
      ['--text-2', '--warn-bg'],
    ];
    for (const [text, ground] of pairs) {
      const value = contrast(text, ground, theme);
      if (value < 4.5) weak.push(`${text} on ${ground}: ${value.toFixed(2)}`);
    }
    for (const text of ['--text', '--text-2', '--text-3', '--accent-text', '--warn', '--del']) {
      for (const ground of GROUNDS) {
        const [low = 0, high = 0] = [luminance(text, theme), mixed('--bg-active', ground, theme)].sort(
          (x, y) => x - y,
        );
        const value = (high + 0.05) / (low + 0.05);
        if (value < 4.5) weak.push(`${text} on a selected row on ${ground}: ${value.toFixed(2)}`);
      }
    }
    expect(weak).toEqual([]);
  });

  test(`lines of the ${theme} theme that carry meaning have a contrast of 3`, () => {
    const weak = ['--line-strong', '--focus', '--accent'].flatMap((line) =>
      GROUNDS.flatMap((ground) => {
        const value = contrast(line, ground, theme);
        return value < 3 ? [`${line} on ${ground}: ${value.toFixed(2)}`] : [];
      }),
    );
    expect(weak).toEqual([]);
  });
}
