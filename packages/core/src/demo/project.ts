/**
 * The project of `skein demo`: "tally" turns notes on spending into a monthly report. Plain JavaScript, so that
 * its tests run with `node --test` and nothing has to be installed. Pure data; a flow writes it to a folder.
 */
export interface DemoFile {
  /** Relative to the project's folder, `/`-separated. */
  readonly path: string;
  readonly text: string;
  /** Permission bits; absent: an ordinary file. */
  readonly mode?: number;
}

const readme = `# tally

Notes on spending in, a monthly report out.

    2026-06-02  12.80  food   lunch with Kim
    2026-06-03  49.00  rail   ticket to Basel

    node src/cli.js data/june.txt

## Files

- \`src/parse.js\` reads the notes
- \`src/money.js\` turns text into money and back
- \`src/report.js\` adds up and prints
- \`src/cli.js\` is the command

## Tests

    node --test
`;

const packageJson = `{
  "name": "tally",
  "version": "0.3.0",
  "private": true,
  "type": "module",
  "scripts": {
    "test": "node --test"
  }
}
`;

const parse = `import { toMoney } from './money.js';

const LINE = /^(\\d{4}-\\d{2}-\\d{2})\\s+(-?\\d+(?:\\.\\d+)?)\\s+(\\S+)\\s*(.*)$/;

/** One note a line; empty lines and lines that start with # are skipped. */
export function parseNotes(text) {
  const notes = [];
  for (const [index, line] of text.split('\\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    notes.push(parseNote(trimmed, index + 1));
  }
  return notes;
}

export function parseNote(line, number) {
  const match = LINE.exec(line);
  if (match === null) throw new Error('line ' + number + ' is no note: ' + line);
  const [, date, amount, category, what] = match;
  return { date, amount: toMoney(amount), category, what };
}
`;

const money = `/** Money as a number of francs. */
export function toMoney(text) {
  return Number.parseFloat(text);
}

export function formatMoney(amount) {
  return amount.toFixed(2);
}
`;

const report = `import { formatMoney } from './money.js';

/** The sum of each category, the biggest first. */
export function totals(notes) {
  const sums = new Map();
  for (const note of notes) {
    sums.set(note.category, (sums.get(note.category) ?? 0) + note.amount);
  }
  return [...sums].sort((a, b) => b[1] - a[1]);
}

export function formatReport(notes) {
  const rows = totals(notes);
  const total = rows.reduce((sum, row) => sum + row[1], 0);
  const lines = rows.map(([category, sum]) => category.padEnd(10) + formatMoney(sum).padStart(10));
  lines.push('-'.repeat(20));
  lines.push('total'.padEnd(10) + formatMoney(total).padStart(10));
  return lines.join('\\n') + '\\n';
}
`;

const cli = `import { readFileSync } from 'node:fs';
import { parseNotes } from './parse.js';
import { formatReport } from './report.js';

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node src/cli.js FILE');
  process.exitCode = 2;
} else {
  process.stdout.write(formatReport(parseNotes(readFileSync(file, 'utf8'))));
}
`;

const legacy = `// Kept for the old spreadsheet import; nothing uses it since 0.2.
export function toCsv(notes) {
  return notes.map((note) => [note.date, note.amount, note.category, note.what].join(';')).join('\\n');
}
`;

const parseTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNotes } from '../src/parse.js';

test('a note has a date, an amount, a category and words', () => {
  const [note] = parseNotes('2026-06-02  12.80  food  lunch with Kim');
  assert.equal(note.date, '2026-06-02');
  assert.equal(note.category, 'food');
  assert.equal(note.what, 'lunch with Kim');
});

test('empty lines and comments are skipped', () => {
  assert.equal(parseNotes('\\n# June\\n2026-06-02 1 food\\n').length, 1);
});

test('a line that is no note is named', () => {
  assert.throws(() => parseNotes('2026-06-02 1 food\\nlunch'), /line 2/);
});
`;

const reportTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNotes } from '../src/parse.js';
import { formatReport, totals } from '../src/report.js';

const notes = parseNotes('2026-06-02 12.80 food\\n2026-06-03 49 rail\\n2026-06-04 7.20 food');

test('amounts are added up by category, the biggest first', () => {
  assert.deepEqual(totals(notes).map(([category]) => category), ['rail', 'food']);
});

test('the report ends with the total', () => {
  assert.match(formatReport(notes), /total\\s+69\\.00\\n$/);
});
`;

const june = `# June
2026-06-02  12.80  food   lunch with Kim
2026-06-03  49.00  rail   ticket to Basel
2026-06-07   8.15  food   bakery
2026-06-11  31.40  home   lamp
2026-06-12   0.10  food   a lemon
2026-06-12   0.20  food   two carrots
2026-06-19  18.90  rail   day pass
2026-06-26  64.25  food   the week's shopping
`;

export const demoFiles: readonly DemoFile[] = [
  { path: 'README.md', text: readme },
  { path: 'package.json', text: packageJson },
  { path: 'data/june.txt', text: june },
  { path: 'src/cli.js', text: cli },
  { path: 'src/legacy-csv.js', text: legacy },
  { path: 'src/money.js', text: money },
  { path: 'src/parse.js', text: parse },
  { path: 'src/report.js', text: report },
  { path: 'test/parse.test.js', text: parseTest },
  { path: 'test/report.test.js', text: reportTest },
];
