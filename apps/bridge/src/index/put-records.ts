/** Records into the index, file by file. A record that was there under its id is replaced. */
import { deflateRawSync } from 'node:zlib';
import type { Emitted } from '@skein/core/import/reader';
import type { StrandRecord } from '@skein/core/record/schema';
import { type Indexable, indexableOf } from '@skein/core/search/indexable';
import { termsOf } from '@skein/core/search/tokenize';
import { isPrompt } from '@skein/core/strand/prompts';
import type Database from 'better-sqlite3';
import type { IndexedFile } from './ports.ts';

/** Between two texts of a record: no word is like it, so that no phrase reaches over it. */
const BOUNDARY = ' ## ';

export interface FileWriter {
  /** One transaction. */
  add(emitted: readonly Emitted[]): void;
}

export interface IndexWriter {
  /** Files by path, with the key that they were read under. */
  known(): ReadonlyMap<string, string>;
  /** `isFresh`: what was there of the file goes first. */
  begin(file: IndexedFile, isFresh: boolean): FileWriter;
  /** From now on the file counts as read under this key. */
  finish(file: IndexedFile): void;
  remove(path: string): void;
}

export const createIndexWriter = (database: Database.Database): IndexWriter => {
  const statements = prepare(database);
  const idOf = (path: string): number | null => statements.fileId.get(path)?.id ?? null;
  const empty = (id: number): void => {
    for (const row of statements.recordIds.all(id)) statements.dropTerms.run(row.id);
    statements.dropRecords.run(id);
  };
  const put = (file: number, turn: string | null, record: StrandRecord): void => {
    const found = indexableOf(record);
    const before = statements.recordId.get(file, record.id)?.id;
    if (before !== undefined) {
      statements.dropTerms.run(before);
      statements.dropRecord.run(before);
    }
    if (found === null) return;
    const { lastInsertRowid } = statements.putRecord.run(rowOf(file, turn, { record, found }));
    const terms = found.texts.map(termsOf);
    statements.putTerms.run(
      lastInsertRowid,
      terms.map(({ words }) => words.join(' ')).join(BOUNDARY),
      [...new Set(terms.flatMap(({ pieces }) => pieces))].join(' '),
    );
  };
  return {
    known: () => new Map(statements.files.all().map(({ path, key }) => [path, key])),
    begin(file, isFresh) {
      const id = database.transaction(() => {
        const known = idOf(file.path);
        if (known !== null && isFresh) empty(known);
        statements.putFile.run({ ...file, key: '' });
        return idOf(file.path) ?? 0;
      })();
      let turn: string | null = isFresh ? null : (statements.lastTurn.get(id)?.turn ?? null);
      return {
        add: (emitted) => {
          const records = emitted.flatMap((one) => (one.kind === 'record' ? [one.record] : []));
          database.transaction(() => {
            for (const record of records) {
              turn = isPrompt(record) ? record.id : turn;
              put(id, record.kind === 'turn' ? record.prompt : turn, record);
            }
          })();
        },
      };
    },
    finish: (file) => void statements.putFile.run({ ...file }),
    remove(path) {
      const id = idOf(path);
      if (id === null) return;
      database.transaction(() => {
        empty(id);
        statements.dropFile.run(id);
      })();
    },
  };
};

const rowOf = (
  file: number,
  turn: string | null,
  { record, found }: { readonly record: StrandRecord; readonly found: Indexable },
) => ({
  file,
  record: record.id,
  turn,
  at: record.at,
  role: found.role,
  model: found.model,
  tools: ` ${found.tools.join(' ').toLowerCase()} `,
  files: found.files.join('\n').toLowerCase(),
  changes: Number(found.hasChanges),
  error: Number(found.hasError),
  body: deflateRawSync(JSON.stringify(found.texts), { level: 3 }),
});

const prepare = (database: Database.Database) => ({
  files: database.prepare<[], { path: string; key: string }>('select path, key from files'),
  fileId: database.prepare<[string], { id: number }>('select id from files where path = ?'),
  putFile: database.prepare(`insert into files (path, agent, strand, title, cwd, updated, key)
    values (@path, @agent, @strand, @title, @cwd, @updatedAt, @key)
    on conflict (path) do update set agent = excluded.agent, strand = excluded.strand, title = excluded.title,
      cwd = excluded.cwd, updated = excluded.updated, key = excluded.key`),
  dropFile: database.prepare('delete from files where id = ?'),
  recordIds: database.prepare<[number], { id: number }>('select id from records where file = ?'),
  recordId: database.prepare<[number, string], { id: number }>(
    'select id from records where file = ? and record = ?',
  ),
  lastTurn: database.prepare<[number], { turn: string | null }>(
    'select turn from records where file = ? order by id desc limit 1',
  ),
  putRecord: database.prepare(`insert into records
    (file, record, turn, at, role, model, tools, files, changes, error, body)
    values (@file, @record, @turn, @at, @role, @model, @tools, @files, @changes, @error, @body)`),
  dropRecord: database.prepare('delete from records where id = ?'),
  dropRecords: database.prepare('delete from records where file = ?'),
  putTerms: database.prepare('insert into terms (rowid, words, pieces) values (?, ?, ?)'),
  dropTerms: database.prepare('delete from terms where rowid = ?'),
});
