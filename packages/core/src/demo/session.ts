/**
 * The session of `skein demo`, one prompt a turn, as a careful agent would work: look first, change a few files,
 * run the tests, break one and say so, repair it, tidy up. Written so that undoing any turn shows something.
 */
import { edit, pause, read, remove, say, shell, think, turn, write } from './statements.ts';

const TESTS = shell('node --test --test-reporter=spec');

const explore = turn(
  'Getting to know the project: what is in it, and do its tests pass?',
  think(
    'A new project. README first, then the sources in the order in which data flows through them, then the tests.',
  ),
  read('README.md'),
  pause(400),
  read('src/parse.js'),
  read('src/money.js'),
  read('src/report.js'),
  pause(400),
  TESTS,
  say(`All five tests pass. This is how the pieces fit:

| file | what it does |
|---|---|
| \`src/parse.js\` | a line of text becomes a note |
| \`src/money.js\` | text becomes an amount, and back |
| \`src/report.js\` | sums by category, then the table |
| \`src/cli.js\` | reads a file, prints the report |

Two things I noticed on the way:

1. **Amounts are floating-point numbers.** \`0.10 + 0.20\` is \`0.30000000000000004\`, so long lists will drift.
2. **Nothing imports \`src/legacy-csv.js\`.** It can probably go.

I have changed nothing so far.`),
);

const budgetSource = `/** What each category may cost in a month, in francs. */
export const BUDGETS = { food: 80, rail: 100, home: 50 };

/** How much is left; null for a category without a budget. */
export function leftOf(category, spent, budgets = BUDGETS) {
  const budget = budgets[category];
  return budget === undefined ? null : budget - spent;
}
`;

const budgetTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftOf } from '../src/budget.js';

test('what is left is the budget without what was spent', () => {
  assert.equal(leftOf('food', 60, { food: 80 }), 20);
});

test('a category without a budget has nothing left to tell', () => {
  assert.equal(leftOf('art', 5, { food: 80 }), null);
});
`;

const feature = turn(
  'Adding budgets: the report should say which category went over.',
  think(
    'Keep it small: one new file with the numbers and one function, one more column in the report, one test file.',
  ),
  write('src/budget.js', budgetSource),
  pause(300),
  edit(
    'src/report.js',
    `import { formatMoney } from './money.js';
`,
    `import { leftOf } from './budget.js';
import { formatMoney } from './money.js';
`,
  ),
  edit(
    'src/report.js',
    '  const lines = rows.map(([category, sum]) => category.padEnd(10) + formatMoney(sum).padStart(10));',
    '  const lines = rows.map(([category, sum]) => category.padEnd(10) + formatMoney(sum).padStart(10) + warningFor(category, sum));',
  ),
  edit(
    'src/report.js',
    `export function formatReport(notes) {`,
    `function warningFor(category, sum) {
  const left = leftOf(category, sum);
  return left !== null && left < 0 ? '  over by ' + formatMoney(-left) : '';
}

export function formatReport(notes) {`,
  ),
  write('test/budget.test.js', budgetTest),
  edit(
    'README.md',
    '- `src/report.js` adds up and prints\n',
    '- `src/report.js` adds up and prints\n- `src/budget.js` says what each category may cost\n',
  ),
  TESTS,
  shell('node src/cli.js data/june.txt'),
  say(`The report now warns when a category is over its budget. For June that is **food**, by a few francs.

- new: \`src/budget.js\` and its test
- changed: one column in \`src/report.js\`, one line in the README

The budgets are constants for now; a file would be the next step.`),
);

const refactor = turn(
  'Making amounts exact: whole cents everywhere instead of fractions of a franc.',
  think(
    'toMoney returns cents, formatMoney divides. Whoever uses amounts in between only adds them, so that should be all. Let me change both and run the tests.',
  ),
  edit(
    'src/money.js',
    `/** Money as a number of francs. */
export function toMoney(text) {
  return Number.parseFloat(text);
}`,
    `/** Money as a whole number of cents. */
export function toMoney(text) {
  return Math.round(Number.parseFloat(text) * 100);
}`,
  ),
  edit('src/money.js', '  return amount.toFixed(2);', '  return (amount / 100).toFixed(2);'),
  write(
    'test/money.test.js',
    `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney, toMoney } from '../src/money.js';
import { parseNotes } from '../src/parse.js';
import { formatReport } from '../src/report.js';

test('amounts are exact', () => {
  assert.equal(toMoney('0.10') + toMoney('0.20'), toMoney('0.30'));
});

test('an amount reads as it was written', () => {
  assert.equal(formatMoney(toMoney('64.25')), '64.25');
});

test('a category within its budget gets no warning', () => {
  assert.doesNotMatch(formatReport(parseNotes('2026-06-02 12.80 food')), /over/);
});
`,
  ),
  pause(300),
  TESTS,
  say(`**One test fails, and it is my change that broke it.** The sums are exact now, but every category is suddenly far over its budget:

\`\`\`
✖ a category within its budget gets no warning
\`\`\`

I missed a place where francs meet cents. I stop here so that you can look. You could *undo* this turn now, and the files and this conversation would be as they were before it. Or let me repair it in the next one.`),
);

const repair = turn(
  'Repairing it: somewhere francs are still compared with cents.',
  think(
    'formatReport passes cents to leftOf, and BUDGETS holds francs: 80 - 1280 is below zero. The budgets are the odd ones out. Either convert at the border or say them in cents. Cents everywhere was the point, so the numbers change, and the comment with them.',
  ),
  read('src/budget.js'),
  edit('src/budget.js', 'in a month, in francs. */', 'in a month, in cents. */'),
  edit('src/budget.js', '{ food: 80, rail: 100, home: 50 }', '{ food: 80_00, rail: 100_00, home: 50_00 }'),
  pause(300),
  TESTS,
  shell('node src/cli.js data/june.txt'),
  say(`All tests pass again. The cause was \`src/budget.js\`: its numbers were francs, everything else had become cents.

The test that caught it stays in \`test/money.test.js\`.`),
);

const tidy = turn(
  'Tidying up: the unused file goes, the change log comes.',
  shell('grep -rn "legacy-csv" src test README.md || echo "nobody imports it"'),
  remove('src/legacy-csv.js'),
  write(
    'CHANGELOG.md',
    `# Changes

## 0.4.0

- The report says which category is over its budget.
- Amounts are whole cents, so sums are exact.
- The spreadsheet export, unused since 0.2, is gone.
`,
  ),
  edit('package.json', '"version": "0.3.0"', '"version": "0.4.0"'),
  TESTS,
  say(`Version 0.4.0 is ready: \`src/legacy-csv.js\` is deleted, \`CHANGELOG.md\` is new.

A deleted file is the thing people fear most to lose. Undo this turn and it is back, byte for byte.`),
);

const sweep = turn(
  'One bold change at the end: a category becomes a tag, in every file at once.',
  think(
    'A rename that touches six files. Worth doing in one go, and a good moment to show that one undo takes all of it back.',
  ),
  edit(
    'src/parse.js',
    '  const [, date, amount, category, what] = match;',
    '  const [, date, amount, tag, what] = match;',
  ),
  edit('src/parse.js', 'amount: toMoney(amount), category, what', 'amount: toMoney(amount), tag, what'),
  edit(
    'src/report.js',
    '/** The sum of each category, the biggest first. */',
    '/** The sum of each tag, the biggest first. */',
  ),
  edit(
    'src/report.js',
    'sums.set(note.category, (sums.get(note.category) ?? 0) + note.amount);',
    'sums.set(note.tag, (sums.get(note.tag) ?? 0) + note.amount);',
  ),
  edit('test/parse.test.js', "assert.equal(note.category, 'food');", "assert.equal(note.tag, 'food');"),
  edit('test/parse.test.js', 'an amount, a category and words', 'an amount, a tag and words'),
  edit('src/budget.js', '/** What each category may cost', '/** What each tag may cost'),
  edit('README.md', 'says what each category may cost', 'says what each tag may cost'),
  edit(
    'CHANGELOG.md',
    '- The report says which category is over',
    '- A category is called a tag.\n- The report says which tag is over',
  ),
  pause(300),
  TESTS,
  say(`Six files changed, all tests pass.

Now it is your turn:

1. **Undo** this turn: all six files and the conversation go back together.
2. **Redo** brings everything forward again.
3. Edit one of them by hand, then undo: your edit is never overwritten. Skein shows the conflict and writes nothing.`),
);

export const demoPrompts: readonly string[] = [explore, feature, refactor, repair, tidy, sweep];
