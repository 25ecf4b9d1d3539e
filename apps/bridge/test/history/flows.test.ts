/** Other tools' sessions through the API: listed, read along, continued. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordIdSchema } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import type { Flows } from '../../src/api/flows.ts';
import { wireFlows } from '../../src/compose/wire-flows.ts';
import { type OpenPlace, openPlace } from '../open-place.ts';
import { historyHome, printOf } from './history-kit.ts';
import { headerLine, messageLine, sessionId } from './tiny-reader.ts';

const FOREIGN = sessionId('a');

const flowsOver = async (place: OpenPlace, home: ReturnType<typeof historyHome>): Promise<Flows> =>
  wireFlows({ ...place.parts, history: await home.open() }, null);

const threeTurns = (cwd: string): string =>
  headerLine('a', cwd) +
  [1, 2, 3]
    .map((n) => messageLine(`p${n}`, `ask ${n}`) + messageLine(`r${n}`, `say ${n}`, 'assistant'))
    .join('');

test('a list is filtered by folder, by whole names, and by agent', async () => {
  await using place = await openPlace();
  using home = historyHome();
  writeFileSync(join(home.lines, 'a.jsonl'), headerLine('a', '/srv/app/sub') + messageLine('1'));
  writeFileSync(join(home.lines, 'b.jsonl'), headerLine('b', '/srv/app-two') + messageLine('1'));
  const flows = await flowsOver(place, home);
  const inApp = await flows.history.list({ cwd: '/srv/app', limit: 10 });
  expect(inApp.items.map(({ id }) => id)).toEqual([FOREIGN]);
  expect(inApp.agents).toEqual([{ agent: 'pi', sessions: 2 }]);
  expect((await flows.history.list({ agent: 'codex', limit: 10 })).total).toBe(0);
  const first = await flows.history.list({ limit: 1 });
  const second = await flows.history.list({ limit: 1, after: first.next ?? undefined });
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(2);
});

test('a window starts at the end and goes on to the header, and nothing can be sent to it', async () => {
  await using place = await openPlace();
  using home = historyHome();
  writeFileSync(join(home.lines, 'a.jsonl'), threeTurns(place.workspace));
  const flows = await flowsOver(place, home);
  const end = await flows.strands.window({ strand: FOREIGN, turns: 1 });
  expect(end.items.map(({ seq }) => seq)).toEqual([6, 7]);
  expect(end.summary).toMatchObject({ agent: 'pi', state: 'idle', readOnly: expect.stringContaining('pi') });
  const rest = await flows.strands.window({ strand: FOREIGN, turns: 9, before: end.before ?? 0 });
  expect(rest.items.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  expect(rest.before).toBeNull();
  expect((await flows.strands.resolve({ selector: FOREIGN.slice(0, 6), cwd: null, terminal: null })).id).toBe(
    FOREIGN,
  );
  expect((await flows.strands.show({ strand: FOREIGN, context: false })).turns).toHaveLength(3);
  await expect(flows.strands.name({ strand: FOREIGN, name: 'mine' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('whoever follows gets what the other tool adds, once and in order, and starts over when it rewrites', async () => {
  await using place = await openPlace();
  using home = historyHome();
  const file = join(home.lines, 'a.jsonl');
  writeFileSync(file, headerLine('a', place.workspace));
  const flows = await flowsOver(place, home);
  const { cursor } = await flows.strands.window({ strand: FOREIGN, turns: 1 });
  const stop = new AbortController();
  const heard: string[] = [];
  for await (const { cursor: at, event } of flows.events.strand(
    { strand: FOREIGN, after: cursor },
    stop.signal,
  )) {
    heard.push(event.type === 'record' ? `record ${at?.split(':')[0]}` : event.type);
    if (heard.length === 1) appendFileSync(file, messageLine('1') + messageLine('2'));
    if (heard.length === 3) writeFileSync(file, headerLine('a', place.workspace) + messageLine('9'));
  }
  expect(heard).toEqual(['caught_up', 'record 2', 'record 3', 'resync']);
});

test('a continued session is a strand with that history, from which the next turn goes on', async () => {
  await using place = await openPlace();
  using home = historyHome();
  writeFileSync(join(home.lines, 'a.jsonl'), threeTurns(place.workspace));
  const before = printOf(join(home.dir, 'tool'));
  const flows = await flowsOver(place, home);
  const made = await flows.history.continue({ session: FOREIGN, agent: 'script' });
  expect(made).toMatchObject({ agent: 'script', turns: 3, state: 'idle', readOnly: null, cost: 0 });
  const state = await place.parts.store.read(made.id);
  expect(state.header?.origin).toMatchObject({ strand: FOREIGN, via: 'import' });
  expect(state.openTurn).toBeNull();
  const { messages } = await flows.strands.show({ strand: made.id, context: true });
  expect(JSON.stringify(messages)).toContain('say 3');
  expect(printOf(join(home.dir, 'tool'))).toEqual(before);
});

test('a folder that is gone, an unknown record and an unknown agent are refused and make no session', async () => {
  await using place = await openPlace();
  using home = historyHome();
  writeFileSync(join(home.lines, 'a.jsonl'), threeTurns(join(place.workspace, 'gone')));
  const flows = await flowsOver(place, home);
  const refused = { code: 'not_found' };
  const at = recordIdSchema.parse('0'.repeat(12));
  await expect(flows.history.continue({ session: FOREIGN, agent: 'script' })).rejects.toMatchObject(refused);
  await expect(flows.history.continue({ session: FOREIGN, agent: 'nobody' })).rejects.toMatchObject(refused);
  await expect(flows.history.continue({ session: FOREIGN, agent: 'script', at })).rejects.toMatchObject(
    refused,
  );
  expect(await place.parts.store.list()).toEqual([]);
  mkdirSync(join(place.workspace, 'gone'));
  expect((await flows.history.continue({ session: FOREIGN, agent: 'script' })).turns).toBe(3);
});

test('a place that the user names is kept in the settings and can be taken out', async () => {
  await using place = await openPlace();
  const flows = await wireFlows(place.parts, null);
  await flows.history.addPlace({ agent: 'codex', dir: '/backup/codex' });
  await flows.history.addPlace({ agent: 'codex', dir: '/backup/codex' });
  const { config } = await flows.settings.get();
  expect(config.history?.places).toEqual([{ agent: 'codex', dir: '/backup/codex' }]);
  await expect(flows.history.addPlace({ agent: 'codex', dir: 'x' })).rejects.toMatchObject({
    code: 'invalid_input',
  });
  await flows.history.removePlace({ agent: 'codex', dir: '/backup/codex' });
  expect((await flows.settings.get()).config.history?.places).toEqual([]);
});
