/** Session files of other agents: every one reads, says what it says, and says it however it is cut. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectAgent } from '../src/import/detect.ts';
import type { ForeignAgent } from '../src/import/reader.ts';
import { envelopeSchema, recordBodySchema } from '../src/record/schema.ts';
import { replay } from '../src/strand/replay.ts';
import { readWhole, recordsOf, summaryOf } from '../src/testing/read-import.ts';
import { IMPORTS, importFixtures, mustFindReader } from './import-fixtures.ts';
import { countClaude, countCodex, countPi } from './plain-counts.ts';

const summaries = JSON.parse(readFileSync(join(IMPORTS, 'summaries.json'), 'utf8')) as Record<
  string,
  unknown
>;
const NO_SESSION = /not-a-session|empty-file|newlines-only/;

test.each(importFixtures)('$name gives the numbers that were looked at', (file) => {
  const summary = summaryOf(readWhole(mustFindReader(file.agent), file));
  expect(JSON.parse(JSON.stringify(summary))).toEqual(summaries[file.name]);
});

test.each(importFixtures)('$name gives records that a strand may hold, each on the tip', (file) => {
  const records = recordsOf(readWhole(mustFindReader(file.agent), file));
  for (const record of records) {
    expect(recordBodySchema.safeParse(record).error?.issues ?? []).toEqual([]);
    expect(envelopeSchema.safeParse(record).success).toBe(true);
  }
  const state = replay(records.map((record, at) => ({ seq: at + 1, decoded: { kind: 'ok', record } })));
  expect(state.bad).toEqual([]);
  expect(state.gaps).toEqual([]);
});

test.each(importFixtures.filter(({ name }) => !NO_SESSION.test(name)))(
  '$name is known by its beginning',
  (file) => {
    expect(detectAgent(file.text.slice(0, 64 * 1024), file.path)).toBe(file.agent);
  },
);

test.each(importFixtures.filter(({ name }) => NO_SESSION.test(name)))('$name is nobody’s session', (file) => {
  expect(detectAgent(file.text.slice(0, 64 * 1024), file.path)).toBeNull();
});

test('a state that is written down and read back between any two lines changes nothing', () => {
  const files = importFixtures.filter(({ text }) => text.length < 60_000);
  for (const file of files) {
    const reader = mustFindReader(file.agent);
    expect(readWhole(reader, file, (state) => structuredClone(state))).toEqual(readWhole(reader, file));
  }
});

test('what holds at the end of a part is said anew by the whole, and reading on is not disturbed by asking', () => {
  for (const file of importFixtures.filter(({ text }) => text.length < 30_000)) {
    const reader = mustFindReader(file.agent);
    const asked = readWhole(reader, file, (state) => {
      reader.end(state);
      return state;
    });
    expect(asked).toEqual(readWhole(reader, file));
  }
});

test('a file that is cut off anywhere, or damaged anywhere, is read without a fault', () => {
  const small = importFixtures.filter(({ text }) => text.length > 0 && text.length < 20_000);
  fc.assert(
    fc.property(
      fc.constantFrom(...small),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.string(),
      (file, where, junk) => {
        const at = Math.floor(file.text.length * where);
        const reader = mustFindReader(file.agent);
        readWhole(reader, { ...file, text: file.text.slice(0, at) });
        readWhole(reader, { ...file, text: file.text.slice(0, at) + junk + file.text.slice(at) });
      },
    ),
    { numRuns: 200 },
  );
});

const anyJson = fc.json({ maxDepth: 4 });
test('lines that have the right kinds and anything else in them are read without a fault', () => {
  const types = [
    'user',
    'assistant',
    'message',
    'session_meta',
    'response_item',
    'event_msg',
    'session',
    'gemini',
    'user.message',
  ];
  const line = fc.record({
    type: fc.constantFrom(...types),
    uuid: fc.option(fc.string(), { nil: undefined }),
    payload: fc.option(
      anyJson.map((text): unknown => JSON.parse(text)),
      { nil: undefined },
    ),
    message: fc.option(
      anyJson.map((text): unknown => JSON.parse(text)),
      { nil: undefined },
    ),
    data: fc.option(
      anyJson.map((text): unknown => JSON.parse(text)),
      { nil: undefined },
    ),
    content: fc.option(
      anyJson.map((text): unknown => JSON.parse(text)),
      { nil: undefined },
    ),
    timestamp: fc.option(anyJson, { nil: undefined }),
  });
  const agents: readonly ForeignAgent[] = [
    'claude-code',
    'codex',
    'gemini',
    'opencode',
    'pi',
    'copilot',
    'skein',
  ];
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom(...agents), (lines, agent) => {
      const text = lines.map((one) => JSON.stringify(one)).join('\n');
      const records = recordsOf(readWhole(mustFindReader(agent), { path: '/x.jsonl', text }));
      for (const record of records)
        expect(recordBodySchema.safeParse(record).error?.issues ?? []).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

const PLAIN = { 'claude-code': countClaude, codex: countCodex, pi: countPi } as const;
/** What the plain count does not know: bare items, prompts that only items tell, a cut half, nesting that is refused. */
const NOT_PLAIN =
  /glued-objects|deep-nesting|old-bare-header|schema-drift|mixed-items|many-record-types|rate-limit|aborted-turn/;

test.each(
  importFixtures.filter(
    ({ agent, name }) => agent in PLAIN && !NO_SESSION.test(name) && !NOT_PLAIN.test(name),
  ),
)('$name: a plain count comes to the same numbers', (file) => {
  const plain = PLAIN[file.agent as keyof typeof PLAIN](file.text);
  const { prompts, calls, results, usage } = summaryOf(readWhole(mustFindReader(file.agent), file));
  expect({ prompts, calls, results, output: usage?.output ?? 0 }).toEqual({
    prompts: plain.prompts,
    calls: plain.calls,
    results: plain.results,
    output: plain.output,
  });
});

test('tokens that every line of a message repeats are counted once', () => {
  const file = importFixtures.find(({ name }) => name.endsWith('tiny-progress-lines.jsonl'));
  if (file === undefined) throw new Error('the fixture is gone');
  const plain = countClaude(file.text);
  expect(plain.naiveOutput).toBeGreaterThan(plain.output);
  expect(summaryOf(readWhole(mustFindReader('claude-code'), file)).usage?.output).toBe(plain.output);
});

test('a copy of a session, and a later stage of it, has the same records', () => {
  const stages = importFixtures.filter(({ name }) => name.includes('gemini/growth-a-stage'));
  const ids = stages.map(
    (file) =>
      new Set(
        recordsOf(readWhole(mustFindReader('gemini'), file)).flatMap(({ id, kind }) =>
          kind === 'message' ? [id] : [],
        ),
      ),
  );
  for (const [index, later] of ids.slice(1).entries()) {
    expect([...(ids[index] ?? [])].filter((id) => !later.has(id))).toEqual([]);
  }
});

test('a prompt that took the place of another one is a branch, side by side calls are none', () => {
  const branches = (name: string) => {
    const file = importFixtures.find((one) => one.name.endsWith(name));
    if (file === undefined) throw new Error(`the fixture is gone: ${name}`);
    return summaryOf(readWhole(mustFindReader(file.agent), file)).branches;
  };
  expect(branches('synthetic-true-branch.jsonl')).toBe(1);
  expect(branches('v2.1.41-parallel-tools.jsonl')).toBe(0);
  expect(branches('synthetic-v2-branches-in-one-file.jsonl')).toBe(1);
});
