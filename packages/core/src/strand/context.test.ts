import { expect, test } from 'vitest';
import { aStrand, testId } from '../testing/a-strand.ts';
import { closingRecords } from './close-open-turn.ts';
import { contextOf } from './context.ts';
import { openCalls } from './turns.ts';

const shape = (strand: ReturnType<typeof aStrand>) =>
  contextOf(strand.state()).map(({ role, parts }) => {
    const part = parts[0];
    if (part?.type === 'tool_result') return `${role}:${part.call}=${part.status}`;
    if (part?.type === 'tool_call') return `${role}:${part.call}`;
    return `${role}:${part?.type === 'text' ? part.text : part?.type}`;
  });

test('the context is what lies on the path, without offshoots', () => {
  const strand = aStrand()
    .exchange('one', 'first')
    .exchange('two', 'second')
    .tip(testId(3))
    .exchange('three', 'third');
  expect(shape(strand)).toEqual(['user:one', 'assistant:first', 'user:three', 'assistant:third']);
});

test('a boundary clears the context and nothing else', () => {
  const strand = aStrand().exchange('one', 'first').add({ kind: 'boundary' }).prompt('two');
  expect(shape(strand)).toEqual(['user:two']);
});

test('a digest stands for what it covers; the kept tail follows it', () => {
  const strand = aStrand().exchange('one', 'first').exchange('two', 'second');
  strand
    .add({ kind: 'digest', summary: 'we did one', keepFrom: strand.promptId(2), trigger: 'user' })
    .prompt('three');
  expect(shape(strand)).toEqual(['user:we did one', 'user:two', 'assistant:second', 'user:three']);
});

test('a second digest replaces the first, and a boundary hides both', () => {
  const strand = aStrand().exchange('one', 'first');
  strand.add({ kind: 'digest', summary: 'A', keepFrom: null, trigger: 'auto' }).exchange('two', 'second');
  strand.add({ kind: 'digest', summary: 'B', keepFrom: testId(2), trigger: 'auto' });
  expect(shape(strand)).toEqual(['user:B', 'user:one', 'assistant:first', 'user:two', 'assistant:second']);
  expect(shape(strand.add({ kind: 'boundary' }))).toEqual([]);
});

test('a digest whose tail is not on the path keeps none', () => {
  const strand = aStrand().exchange('one', 'first');
  strand.add({ kind: 'digest', summary: 'A', keepFrom: testId(99), trigger: 'auto' }).prompt('two');
  expect(shape(strand)).toEqual(['user:A', 'user:two']);
});

test('every call is followed by exactly one result, an interrupted one where none was written', () => {
  const strand = aStrand().prompt('one').call('a').call('b').result('b').prompt('two');
  expect(shape(strand)).toEqual([
    'user:one',
    'assistant:a',
    'tool:a=interrupted',
    'assistant:b',
    'tool:b=ok',
    'user:two',
  ]);
});

test('results come right behind their calls, whatever was said between', () => {
  const strand = aStrand().prompt('one').call('a').prompt('hurry', { steer: true }).result('a').answer('ok');
  expect(shape(strand)).toEqual(['user:one', 'assistant:a', 'tool:a=ok', 'user:hurry', 'assistant:ok']);
});

test('a result whose call is not in the context is left out', () => {
  const strand = aStrand().prompt('one').call('a');
  strand.add({ kind: 'digest', summary: 'S', keepFrom: null, trigger: 'auto' }).result('a').answer('ok');
  expect(shape(strand)).toEqual(['user:S', 'assistant:ok']);
});

test('call ids that an agent uses again belong to the newest call', () => {
  const strand = aStrand()
    .prompt('one')
    .call('c')
    .result('c', 'x')
    .turn()
    .prompt('two')
    .call('c')
    .result('c', 'y', 'error');
  expect(shape(strand)).toEqual([
    'user:one',
    'assistant:c',
    'tool:c=ok',
    'user:two',
    'assistant:c',
    'tool:c=error',
  ]);
});

test('an empty answer is left out', () => {
  const strand = aStrand()
    .prompt('one')
    .add({ kind: 'message', role: 'assistant', parts: [], stop: 'error', error: 'overloaded' });
  expect(shape(strand)).toEqual(['user:one']);
});

test('a turn that a crash left open is closed: a result for every open call, then the turn', () => {
  const strand = aStrand().exchange('zero', 'old').prompt('one').call('a').result('a').call('b').call('c');
  expect(openCalls(strand.state()).map(({ call }) => call)).toEqual(['b', 'c']);
  const coverage = { level: 'full' as const, reasons: [] };
  const closing = closingRecords(strand.state(), { files: [], coverage });
  expect(closing.map((body) => body.kind)).toEqual(['message', 'message', 'turn']);
  expect(closing.at(-1)).toMatchObject({ prompt: strand.promptId(2), outcome: 'interrupted', coverage });
  for (const body of closing) strand.add(body);
  expect(openCalls(strand.state())).toEqual([]);
  expect(strand.state().openTurn).toBeNull();
  expect(closingRecords(strand.state(), { files: [], coverage })).toEqual([]);
});
