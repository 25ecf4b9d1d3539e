/** Twenty sessions at work in one bridge: each stream, file and record belongs to its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { makeSandbox, type RunningBridge, runBridge } from './bridge-process.ts';

const SESSIONS = 20;

const follow = (bridge: RunningBridge, strand: StrandId): { text: string; done: Promise<void> } => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const heard = { text: '', done: promise };
  const feed = bridge.connection.client.events.strand.subscribe(
    { strand, after: null },
    {
      onData: (next) => {
        const event = 'data' in next ? next.data : next;
        heard.text += JSON.stringify(event);
        if (event.type !== 'record' || event.item.kind !== 'record') return;
        if ((event.item.record as { kind: string }).kind !== 'turn') return;
        feed.unsubscribe();
        resolve();
      },
      onError: reject,
    },
  );
  return heard;
};

test('20 sessions running at once do not hear of each other', async () => {
  using sandbox = makeSandbox();
  await using bridge = await runBridge(sandbox);
  const { client } = bridge.connection;
  const ids = await Promise.all(
    [...Array(SESSIONS).keys()].map(async () => {
      const { id } = await client.strands.create.mutate({ cwd: sandbox.workspace, agent: 'script' });
      return id;
    }),
  );
  const heard = ids.map((id) => follow(bridge, id));
  // Each subscription must be there before the prompts: the stream starts at its own end.
  await new Promise((done) => setTimeout(done, 500));
  await Promise.all(
    ids.map((strand, index) => {
      const text = [...Array(8).keys()]
        .map((step) => `say word-${index}-end.\nwrite own-${index}.txt step ${step}`)
        .join('\n');
      return client.turns.prompt.mutate({ strand, text, by: 'script' });
    }),
  );
  await Promise.all(heard.map(({ done }) => done));
  for (const [index, { text }] of heard.entries()) {
    const words = new Set(text.match(/word-\d+-end/g));
    expect([...words], `session ${index}`).toEqual([`word-${index}-end`]);
    expect(readFileSync(join(sandbox.workspace, `own-${index}.txt`), 'utf8')).toBe('step 7\n');
  }
  const { items } = await client.strands.list.query({ limit: 100 });
  expect(items.every(({ state, turns }) => state === 'idle' && turns === 1)).toBe(true);
});
