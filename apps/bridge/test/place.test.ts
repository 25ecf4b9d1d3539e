/** What an opened bridge tells its pages: files that it could not read, and what waits. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GlobalEvent, Notice } from '@skein/core/protocol/events';
import { expect, test } from 'vitest';
import { remoteClient } from '../src/cli/clients.ts';
import { serve } from '../src/compose/serve.ts';
import { wireFlows } from '../src/compose/wire-flows.ts';
import { openPlace, THIS_PLACE, until } from './open-place.ts';

const STRAND = 'aaaaaaaaaaaa';

test('damaged tabs and a damaged queue are put aside, and pages are told where', async () => {
  await using place = await openPlace((dataDir) => {
    mkdirSync(join(dataDir, 'state', 'queues'), { recursive: true });
    writeFileSync(join(dataDir, 'state', 'page.json'), '\0');
    writeFileSync(join(dataDir, 'state', 'queues', `${STRAND}.json`), '{');
  });
  const told = place.parts.announcements.notices();
  expect(told.map(({ level }) => level)).toEqual(['warn', 'warn']);
  expect(told[0]?.message).toContain(join(place.dataDir, 'state', 'page.json.unreadable-'));
  expect(told[1]?.message).toContain(`${STRAND}.json.unreadable-`);
});

test('damaged keys of browsers are put aside, and pages are told where', async () => {
  await using place = await openPlace();
  writeFileSync(join(place.dataDir, 'state', 'browser-keys.json'), '{"v":1,"keys":7}');
  let stop = (): void => undefined;
  const bridge = await serve({
    environment: place.environment,
    place: THIS_PLACE,
    port: 0,
    onSignal: (handler) => {
      stop = handler;
      return () => undefined;
    },
  });
  try {
    expect(await noticesOf(bridge.url, place.dataDir)).toMatchObject([
      { level: 'warn', message: expect.stringContaining('browser-keys.json.unreadable-') },
    ]);
  } finally {
    stop();
    await bridge.done;
  }
});

test('the prompts of the demo are shown to pages as they are queued', async () => {
  await using place = await openPlace();
  const flows = await wireFlows(place.parts, null);
  const stop = new AbortController();
  const heard: GlobalEvent[] = [];
  const events = place.parts.hub.followGlobal(stop.signal);
  const listening = (async () => {
    for await (const event of events) heard.push(event);
  })();
  const { strand, prompts, cwd } = await flows.demo.start();
  const queues = () => heard.flatMap((event) => (event.type === 'queue' ? [event.queue.length] : []));
  await until(() => queues().includes(prompts.length - 1));
  await flows.turns.interrupt({ strand });
  stop.abort();
  await listening;
  rmSync(cwd, { recursive: true });
});

/** As a page hears them with its first event. */
const noticesOf = async (url: string, dataDir: string): Promise<readonly Notice[]> => {
  const [scope = ''] = readdirSync(join(dataDir, 'runtime'));
  const token = readFileSync(join(dataDir, 'runtime', scope, 'token'), 'utf8').trim();
  const { client, close } = remoteClient({ url, token });
  const { promise, resolve, reject } = Promise.withResolvers<readonly Notice[]>();
  const feed = client.events.all.subscribe(undefined, {
    onData: (event) => {
      if (event.type === 'snapshot') resolve(event.snapshot.notices);
    },
    onError: reject,
  });
  const notices = await promise;
  feed.unsubscribe();
  await close();
  return notices;
};
