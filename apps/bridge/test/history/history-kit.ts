/** A made-up home with other tools' sessions in it, and a history over them. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyReader, ForeignAgent } from '@skein/core/import/reader';
import { openHistory } from '../../src/history/store.ts';
import type { HistoryPlace, HistoryStore } from '../../src/history/types.ts';
import { openVault } from '../../src/history/vault.ts';
import { tinyReaders } from './tiny-reader.ts';

export interface HistoryHome extends Disposable {
  readonly dir: string;
  /** Where the line format lies, and the document format. */
  readonly lines: string;
  readonly documents: string;
  open(readers?: ReadonlyMap<ForeignAgent, AnyReader>, keeps?: boolean): Promise<HistoryStore>;
}

export const historyHome = (): HistoryHome => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'skein-history-')));
  const [lines, documents] = [join(dir, 'tool', 'lines'), join(dir, 'tool', 'documents')];
  for (const folder of [lines, documents]) mkdirSync(folder, { recursive: true });
  const places: readonly HistoryPlace[] = [
    { agent: 'pi', dir: lines, from: 'found' },
    { agent: 'gemini', dir: documents, from: 'found' },
  ];
  return {
    dir,
    lines,
    documents,
    open: (readers = tinyReaders, keeps = false) =>
      openHistory({
        catalogueFile: join(dir, 'data', 'history.json'),
        readers,
        places: async () => places,
        unfoldedDir: join(dir, 'data', 'unfolded'),
        vault: openVault({ dir: join(dir, 'data', 'vault'), scratch: join(dir, 'data', 'open') }),
        keeps: async () => keeps,
      }),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
};

/** Names, bytes and times of everything below a folder; links are not followed. */
export const printOf = (dir: string): readonly string[] =>
  readdirSync(dir)
    .toSorted()
    .flatMap((name) => {
      const path = join(dir, name);
      const stat = lstatSync(path, { bigint: true });
      const isSmall = stat.isFile() && stat.size < 1024n ** 2n * 300n;
      const bytes = isSmall ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
      const own = `${path} ${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ino} ${bytes}`;
      return stat.isDirectory() ? [own, ...printOf(path)] : [own];
    });
