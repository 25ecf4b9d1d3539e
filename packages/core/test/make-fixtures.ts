/**
 * Writes the golden strands of format 1 into `fixtures/strands/v1`, with what today's code reads from them
 * and a list of hashes. Run once per format (`npx node packages/core/test/make-fixtures.ts`): a file
 * that exists is never written again, for golden files are only ever added to.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrandId } from '../src/record/ids.ts';
import { encodeJsonLine } from '../src/record/json-line.ts';
import type { RecordBody } from '../src/record/schema.ts';
import { aFileChange, aStrand, bytesOf, testId, testOp, testTime } from '../src/testing/a-strand.ts';
import { describeFile } from '../src/testing/describe-file.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/strands/v1');
const SHA = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function everyKind(): Uint8Array {
  const spill = { sha256: SHA, bytes: 40_000, mime: 'text/plain', head: 'first 世', tail: 'last 😀' };
  const strand = aStrand().add({ kind: 'change', setting: 'model', value: 'script/script', by: 'config' });
  strand.add({
    kind: 'message',
    role: 'user',
    by: 'user',
    parts: [
      { type: 'note', text: 'Read again:\n- a.txt', files: ['a.txt', { b64: '/w==' }] },
      { type: 'text', text: '修复登录错误 🐛 please\nand say why' },
      { type: 'image', mime: 'image/png', data: 'iVBORw0KGgo=', name: 'screen.png' },
      { type: 'mention', path: 'src/登录.ts' },
    ],
  });
  strand.add({
    kind: 'message',
    role: 'assistant',
    model: 'script/script',
    parts: [
      { type: 'thinking', text: 'hmm', signature: 'c2lnbmF0dXJlKz09/+==' },
      { type: 'text', text: 'Looking 👀 at it\u2028now' },
      {
        type: 'tool_call',
        call: 'call_1',
        name: 'edit',
        input: { path: 'src/登录.ts', edits: [{ old: 'a', new: 'b' }] },
      },
      { type: 'tool_call', call: 'call_2', name: 'bash', input: null, inputSpill: spill },
    ],
    usage: { input: 1200, output: 80, cacheRead: 1000, cacheWrite: 100, reasoning: 12 },
    cost: 0.0125,
    stop: 'tool',
  } as RecordBody);
  strand.add({
    kind: 'decision',
    call: 'call_1',
    tool: 'edit',
    allowed: true,
    by: 'rule',
    rule: 'edit(src/**)',
  });
  strand.result('call_1', '1 edit');
  strand.prompt('and the tests', { steer: true });
  strand.add({
    kind: 'message',
    role: 'tool',
    by: 'bridge',
    parts: [
      { type: 'tool_result', call: 'call_2', status: 'error', output: spill, durationMs: 10, exitCode: 1 },
    ],
  } as RecordBody);
  strand.add({
    kind: 'usage',
    model: 'script/small',
    usage: { input: 10, output: 5 },
    cost: 0.001,
    source: 'task',
  });
  strand.answer('Done.');
  strand.turn({
    files: [
      aFileChange('src/登录.ts'),
      aFileChange('new.bin', { status: 'added', added: null, removed: null }),
    ],
  });
  strand.add({ kind: 'custom', type: 'x.acme.note', data: { any: ['thing', 1, null] } });
  strand
    .add({ kind: 'name', name: '登录修复' })
    .add({ kind: 'flag', pinned: true })
    .add({ kind: 'flag', archived: false });
  strand.add({
    kind: 'digest',
    summary: 'Fixed the login.',
    keepFrom: testId(3),
    trigger: 'user',
    tokensBefore: 9000,
    tokensAfter: 200,
  });
  strand.exchange('next', 'fine').add({ kind: 'boundary' });
  strand
    .add({ kind: 'change', setting: 'mode', value: 'plan', by: 'user' })
    .prompt('fresh start')
    .turn({ outcome: 'failed' });
  return bytesOf(strand.records());
}

function undoAndRedo(): Uint8Array {
  const strand = aStrand().exchange('one', 'first', ['a.txt']).exchange('two', 'second', ['a.txt', 'b.txt']);
  const [one, two] = [strand.promptId(1), strand.promptId(2)];
  strand.undo({ op: testOp('u1'), turns: [two], to: testId(3), files: ['a.txt', 'b.txt'] });
  strand.redo({ op: testOp('r1'), undo: testOp('u1'), to: testId(6), files: ['a.txt', 'b.txt'] });
  strand.undo({ op: testOp('u2'), turns: [two], scope: 'files', files: ['a.txt', 'b.txt'] });
  strand.undo({ op: testOp('u3'), turns: [one], scope: 'files', files: ['a.txt'] });
  strand.redo({ op: testOp('r3'), undo: testOp('u3'), scope: 'files', files: ['a.txt'] });
  strand.undo({ op: testOp('u4'), turns: [two], scope: 'chat', to: testId(3) });
  strand.exchange('three', 'third', ['c.txt']);
  strand.undo({ op: testOp('u5'), turns: [strand.promptId(3)], to: testId(3), files: ['c.txt'] });
  return bytesOf(strand.records());
}

function offshoots(): Uint8Array {
  const strand = aStrand().exchange('one', 'first').exchange('two', 'second').exchange('three', 'third');
  strand.tip(testId(6), 'offshoot').exchange('three again', 'third again');
  strand.tip(testId(3), 'go').exchange('two again', 'second again').tip(testId(999), 'go');
  return bytesOf(strand.records());
}

function openTurn(): Uint8Array {
  return bytesOf(
    aStrand().exchange('one', 'first').prompt('two').call('a').result('a').call('b').call('c').records(),
  );
}

function fork(): Uint8Array {
  const origin = {
    strand: 'ffffffffffff' as StrandId,
    record: testId(4),
    via: 'split' as const,
    restored: ['x.txt'],
  };
  return bytesOf(aStrand({ origin }).exchange('copied', 'answer', ['a.txt']).records());
}

/** A flipped bit, a sealed torn line, an accepted one, a repeated id, a lost parent, and a torn tail. */
function damaged(): Uint8Array {
  const strand = aStrand().exchange('one', 'first');
  const lines = strand.records().map((record) => encodeJsonLine(record));
  const flipped = Buffer.from(lines[2] ?? []);
  flipped[70] = (flipped[70] ?? 0) ^ 4;
  const lost = { id: testId(3), parent: testId(2), at: testTime(3) };
  const record = (n: number, parent: number, body: RecordBody) =>
    encodeJsonLine({ id: testId(n), parent: testId(parent), at: testTime(n), ...body });
  const say = (text: string): RecordBody => ({
    kind: 'message',
    role: 'assistant',
    parts: [{ type: 'text', text }],
  });
  const torn = Buffer.from(encodeJsonLine({ ...lost, ...say('never whole 世界') })).subarray(0, 90);
  return Buffer.concat([
    ...lines.slice(0, 2),
    flipped,
    record(4, 3, say('its parent is the damaged line')),
    torn,
    Buffer.from('\n'),
    record(5, 4, { kind: 'recovery', torn: { bytes: torn.length } }),
    record(6, 4, { kind: 'recovery', line: 3, sha: SHA } as RecordBody),
    record(4, 4, say('an id used before')),
    record(7, 4, {
      kind: 'turn',
      prompt: testId(2),
      outcome: 'done',
      files: [],
      coverage: { level: 'none', reasons: ['lost'] },
    }),
    record(8, 4, say('whole')),
    torn,
  ]);
}

function unknownKind(): Uint8Array {
  const records = aStrand().exchange('one', 'first').records();
  const newer = {
    id: testId(5),
    parent: testId(3),
    at: testTime(5),
    kind: 'hologram',
    beams: [1, { deep: '世界' }],
  };
  const answer = {
    id: testId(6),
    parent: testId(5),
    at: testTime(6),
    kind: 'message',
    role: 'user',
    by: 'user',
  };
  const prompt = { ...answer, parts: [{ type: 'text', text: 'on top of it' }], extra: 'kept' };
  return Buffer.concat([bytesOf(records), encodeJsonLine(newer), encodeJsonLine(prompt)]);
}

function newerVersion(): Uint8Array {
  const [header, ...records] = aStrand().exchange('one', 'first').records();
  return Buffer.concat([
    encodeJsonLine({ ...header, v: 2, versions: 'other', lanes: ['main'] }),
    bytesOf(records),
    encodeJsonLine({ id: testId(9), parent: testId(3), at: testTime(9), kind: 'lane', name: 'main' }),
  ]);
}

function tornHeader(): Uint8Array {
  const bytes = bytesOf(aStrand().exchange('one', 'first').records());
  return Buffer.concat([bytes.subarray(0, 50), bytes.subarray(bytes.indexOf(0x0a))]);
}

const FILES: Readonly<Record<string, () => Uint8Array>> = {
  'every-kind': everyKind,
  'undo-and-redo': undoAndRedo,
  offshoots,
  'open-turn': openTurn,
  fork,
  damaged,
  'unknown-kind': unknownKind,
  'newer-version': newerVersion,
  'torn-header': tornHeader,
};

mkdirSync(FOLDER, { recursive: true });
for (const [name, make] of Object.entries(FILES)) {
  const file = join(FOLDER, `${name}.jsonl`);
  if (existsSync(file)) continue;
  const bytes = make();
  writeFileSync(file, bytes);
  writeFileSync(join(FOLDER, `${name}.expected.json`), `${JSON.stringify(describeFile(bytes), null, 2)}\n`);
}
const sums = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.jsonl'))
  .toSorted()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(FOLDER, name)))
        .digest('hex')}  ${name}\n`,
  );
writeFileSync(join(FOLDER, 'SHA256SUMS'), sums.join(''));
