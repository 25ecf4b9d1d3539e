/** All parts of a bridge opened in this process, on folders of their own: for tests of what flows do together. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import { type OpenedParts, openParts } from '../src/compose/open-parts.ts';
import { placeOf } from '../src/compose/place.ts';
import { type Environment, readEnvironment } from '../src/config.ts';

export interface OpenPlace extends AsyncDisposable {
  readonly environment: Environment;
  readonly dataDir: string;
  readonly workspace: string;
  readonly parts: OpenedParts['parts'];
  /** A new session of the script agent; nothing runs yet. */
  strand(): Promise<StrandId>;
}

export const THIS_PLACE = placeOf(new URL('../src/main.ts', import.meta.url).href);

/** `prepare` gets the data directory before anything is opened. */
export const openPlace = async (prepare: (dataDir: string) => void = () => undefined): Promise<OpenPlace> => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'skein-place-')));
  const [dataDir, workspace, home] = ['data', 'workspace', 'home'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [dataDir, workspace, home]) mkdirSync(folder, { mode: 0o700 });
  prepare(dataDir);
  const environment = readEnvironment(
    { PATH: process.env['PATH'], SKEIN_DATA_DIR: dataDir, SKEIN_CONFIG_DIR: join(dir, 'config') },
    { platform: process.platform, home, version: '0.0.0' },
  );
  const opened = await openParts(environment, THIS_PLACE, 'bridge');
  return {
    environment,
    dataDir,
    workspace,
    parts: opened.parts,
    async strand() {
      const writer = await opened.parts.store.create({
        kind: 'header',
        format: 'skein',
        v: 1,
        cwd: workspace,
        versions: { skein: '0.0.0', node: process.version, os: process.platform },
        repo: null,
        agent: 'script',
        origin: null,
      });
      opened.parts.pool.adopt(writer).release();
      return writer.id;
    },
    async [Symbol.asyncDispose]() {
      await opened.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

/** Waits for something that is on its way. */
export const until = async (check: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> => {
  const end = Date.now() + withinMs;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms`);
    await new Promise((done) => setTimeout(done, 20));
  }
};
