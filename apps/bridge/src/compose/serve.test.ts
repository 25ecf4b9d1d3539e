/** The bridge in this process, on directories of its own: what a failed start and a stop leave behind. */
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { remoteClient } from '../cli/clients.ts';
import { readEnvironment } from '../config.ts';
import { placeOf } from './place.ts';
import { serve } from './serve.ts';

const setUp = () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'skein-serve-')));
  const dataDir = join(dir, 'data');
  const variables = {
    PATH: process.env['PATH'] ?? '',
    HOME: dir,
    SKEIN_DATA_DIR: dataDir,
    SKEIN_CONFIG_DIR: join(dir, 'config'),
  };
  const environment = readEnvironment(variables, { platform: process.platform, home: dir, version: '0.0.0' });
  const place = placeOf(pathToFileURL(join(import.meta.dirname, '..', 'main.ts')).href);
  const start = async (port = 0) => {
    const signal = { stop: (): void => undefined };
    const onSignal = (stop: () => void): (() => void) => {
      signal.stop = stop;
      return () => undefined;
    };
    const bridge = await serve({ environment, place, port, onSignal });
    return { ...bridge, stop: () => signal.stop() };
  };
  const runtimeFile = (name: string): string => globSync(join(dataDir, 'runtime', '*', name))[0] ?? '';
  const connect = (url: string) =>
    remoteClient({ url, token: readFileSync(runtimeFile('token'), 'utf8').trim() });
  return {
    dir,
    start,
    connect,
    runtimeFile,
    lock: join(dataDir, 'state', 'bridge.lock'),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
};

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** Something in the place of the file that tells clients of the bridge: it can be neither written nor read. */
const block = (path: string): void => {
  rmSync(path, { force: true });
  mkdirSync(join(path, 'in-the-way'), { recursive: true });
};

test('a start that fails after it listens closes the listener and gives the data directory back', async () => {
  using place = setUp();
  const first = await place.start();
  const announced = place.runtimeFile('bridge.json');
  first.stop();
  await first.done;
  block(announced);
  const port = await freePort();
  await expect(place.start(port)).rejects.toMatchObject({ code: 'io' });
  expect(existsSync(place.lock)).toBe(false);
  rmSync(announced, { recursive: true });
  const again = await place.start(port);
  again.stop();
  await again.done;
});

test('a stop of which one step fails takes all the others, and says so', async () => {
  using place = setUp();
  const port = await freePort();
  const first = await place.start(port);
  const announced = place.runtimeFile('bridge.json');
  block(announced);
  first.stop();
  await expect(first.done).rejects.toMatchObject({ code: 'io' });
  expect(existsSync(place.lock)).toBe(false);
  rmSync(announced, { recursive: true });
  const again = await place.start(port);
  again.stop();
  await again.done;
});

test('while it stops no turn begins; the running one is recorded, and all is over within five seconds', async () => {
  using place = setUp();
  const bridge = await place.start();
  const { client, close } = place.connect(bridge.url);
  const create = async () => (await client.strands.create.mutate({ cwd: place.dir, agent: 'script' })).id;
  const [strand, other] = [await create(), await create()];
  // A command that does not listen to TERM: its turn takes two seconds to end.
  const ready = join(place.dir, 'ready');
  const text = `sh "trap '' TERM; touch ${ready}; while true; do sleep 0.1; done"`;
  await client.turns.prompt.mutate({ strand, text, by: 'script' });
  await client.turns.prompt.mutate({ strand, text: 'say next', when: 'queue', by: 'script' });
  while (!existsSync(ready)) await new Promise((done) => setTimeout(done, 20));
  const startedMs = performance.now();
  bridge.stop();
  await new Promise((done) => setTimeout(done, 300));
  await expect(client.turns.prompt.mutate({ strand: other, text: 'say hi', by: 'script' })).rejects.toThrow(
    'Skein is stopping',
  );
  await bridge.done;
  expect(performance.now() - startedMs).toBeLessThan(5000);
  void close().catch(() => undefined);
  const kinds = (id: string): string[] =>
    readFileSync(globSync(join(dirname(place.lock), '..', 'strands', '*', `*_${id}.jsonl`))[0] ?? '', 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
  expect(kinds(strand).at(-1)).toBe('turn');
  expect(kinds(strand).filter((kind) => kind === 'turn')).toHaveLength(1);
  expect(kinds(other)).toEqual(['header']);
});
