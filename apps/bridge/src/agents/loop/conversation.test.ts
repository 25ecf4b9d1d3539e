import type { Part } from '@skein/core/record/parts';
import { expect, test } from 'vitest';
import { openConversation, type Spoken } from './conversation.ts';

const spill = { sha256: 'a'.repeat(64) as never, bytes: 9, mime: 'text/plain', head: 'h', tail: 't' };
const said = (role: Spoken['role'], ...parts: readonly Part[]): Spoken => ({ role, parts, model: 'p/m' });
const call = (id: string, input: unknown = {}): Part => ({
  type: 'tool_call',
  call: id,
  name: 'read',
  input,
});
const result = (id: string, output = 'out'): Part => ({
  type: 'tool_result',
  call: id,
  status: 'ok',
  output,
});

const convert = async (messages: readonly Spoken[], sendsUnsignedThinking = false) => {
  const conversation = openConversation({
    model: 'p/m',
    sendsUnsignedThinking,
    readSpill: async () => Buffer.from('spilled 😀'),
    readMention: async () => 'content',
  });
  for (const message of messages) await conversation.add(message, { mentions: false });
  return JSON.parse(JSON.stringify(conversation.messages));
};

test('a call without a result gets one before anything else is said', async () => {
  const messages = await convert([
    said('assistant', call('a'), call('b')),
    said('tool', result('a')),
    said('user', { type: 'text', text: 'go' }),
  ]);
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(['assistant', 'tool', 'user']);
  expect(
    messages[1].content.map((part: { toolCallId: string; output: { type: string } }) => [
      part.toolCallId,
      part.output.type,
    ]),
  ).toEqual([
    ['a', 'text'],
    ['b', 'error-text'],
  ]);
});

test('a result without a call is left out, and ids that repeat or are odd get others', async () => {
  const messages = await convert([
    said('tool', result('ghost')),
    said('assistant', call('../x')),
    said('tool', result('../x', 'one')),
    said('assistant', call('../x')),
    said('tool', result('../x', 'two')),
  ]);
  const ids = messages.flatMap(({ content }: { content: { toolCallId: string }[] }) =>
    content.map((part) => part.toolCallId),
  );
  expect(ids).toEqual(['___x', '___x', '___x_2', '___x_2']);
});

test('spills are sent whole, mentions only by name once they are old', async () => {
  const messages = await convert([
    said('user', { type: 'text', text: spill }, { type: 'mention', path: 'a.txt' }),
  ]);
  expect(messages[0].content).toEqual([
    { type: 'text', text: 'spilled 😀' },
    { type: 'text', text: expect.stringContaining('mentioned earlier') },
  ]);
});

test('messages without content are left out, thinking alone too', async () => {
  const messages = await convert([
    said('user', { type: 'text', text: '  ' }),
    said('assistant', { type: 'thinking', text: 'hm', signature: 'abc' }),
    said('assistant'),
  ]);
  expect(messages).toEqual([]);
});

test('unsigned thinking goes back only where the server takes it, and only to its own model', async () => {
  const parts: Part[] = [
    { type: 'thinking', text: 'hm' },
    { type: 'text', text: 'x' },
  ];
  expect((await convert([said('assistant', ...parts)]))[0].content).toHaveLength(1);
  expect((await convert([said('assistant', ...parts)], true))[0].content[0]).toEqual({
    type: 'reasoning',
    text: 'hm',
  });
  expect((await convert([{ role: 'assistant', parts, model: 'other/m' }], true))[0].content).toHaveLength(1);
});

test('an input that is no object is wrapped, a spilled one is read', async () => {
  const spilled: Part = { type: 'tool_call', call: 'b', name: 'x', input: null, inputSpill: spill };
  const messages = await convert([said('assistant', call('a', '{"broken":'), spilled)]);
  expect(messages[0].content.map(({ input }: { input: unknown }) => input)).toEqual([
    { malformed_input: '{"broken":' },
    { malformed_input: 'spilled 😀' },
  ]);
});

test('lone surrogates never reach a provider', async () => {
  const messages = await convert([
    said('user', { type: 'text', text: 'a\ud83d' }),
    said('assistant', call('a')),
    said('tool', result('a', '\ude00b')),
  ]);
  expect(JSON.stringify(messages)).not.toMatch(/\\ud[89a-f]/i);
});
