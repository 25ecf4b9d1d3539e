/**
 * Answers out of the index: the newest of what matches, up to a number, ranked by who said it, how new it is and whether
 * the session is called so. Ranking everything would cost more than finding it.
 */
import { inflateRawSync } from 'node:zlib';
import type { SearchHit, SearchOutput } from '@skein/core/protocol/search';
import type { RecordId, StrandId } from '@skein/core/record/ids';
import { parseQuery, type Query } from '@skein/core/search/query';
import { snippetOf } from '@skein/core/search/snippet';
import type Database from 'better-sqlite3';
import { type Conditions, conditionsOf } from './conditions.ts';

interface Row {
  readonly record: string;
  readonly turn: string | null;
  readonly at: string;
  readonly role: SearchHit['role'];
  readonly body: Buffer;
  readonly strand: string;
  readonly agent: string;
  readonly title: string;
  readonly cwd: string | null;
  readonly updated: string;
}

type Found = Omit<SearchOutput, 'indexing'>;
type Group = SearchOutput['groups'][number];

/** Records that are looked at; more are said to be there. */
const MAX_CANDIDATES = 2000;
const HITS_PER_GROUP = 3;
const WEIGHTS: Readonly<Record<SearchHit['role'], number>> = {
  name: 3,
  prompt: 2.5,
  summary: 2,
  answer: 1.8,
  turn: 1.5,
  tool: 1,
  note: 0.5,
};

export const find = (
  database: Database.Database,
  asked: { readonly query: string; readonly limit: number; readonly nowMs: number },
): Found => {
  const query = parseQuery(asked.query);
  const { hints, rows } = candidates(database, query);
  const groups = new Map<string, Ranked[]>();
  const seen = new Set<string>();
  for (const row of rows) {
    // A fork or a copy of a session has the same records: each counts once.
    if (seen.has(row.record)) continue;
    seen.add(row.record);
    const ranked = groups.get(row.strand);
    const one = { row, score: scoreOf(row, query, asked.nowMs) };
    if (ranked === undefined) groups.set(row.strand, [one]);
    else ranked.push(one);
  }
  const best = [...groups.values()].map((all) => all.toSorted(byScore)).toSorted(([a], [b]) => byScore(a, b));
  return {
    total: seen.size,
    isAtLeast: rows.length >= MAX_CANDIDATES,
    groups: best.slice(0, asked.limit).flatMap((all) => groupOf(all, query)),
    facets: { agents: agentsOf(best) },
    hints: [...query.hints, ...hints],
  };
};

interface Ranked {
  readonly row: Row;
  readonly score: number;
}

const byScore = (a: Ranked | undefined, b: Ranked | undefined): number => (b?.score ?? 0) - (a?.score ?? 0);

const COLUMNS = 'r.record, r.turn, r.at, r.role, r.body, f.strand, f.agent, f.title, f.cwd, f.updated';

function candidates(
  database: Database.Database,
  query: Query,
): { readonly rows: readonly Row[]; readonly hints: readonly string[] } {
  const conditions = conditionsOf(query);
  const asked = statementOf(conditions);
  if (asked === null && query.regex === null) return { rows: [], hints: conditions.hints };
  const { sql, values } = asked ?? EVERYTHING;
  const pattern = query.regex === null ? null : new RegExp(query.regex.source, query.regex.flags);
  const rows: Row[] = [];
  for (const row of database.prepare<(string | number)[], Row>(sql).iterate(...values)) {
    if (pattern !== null && !textsOf(row).some((text) => pattern.test(text))) continue;
    rows.push(row);
    if (rows.length >= MAX_CANDIDATES) break;
  }
  return { rows, hints: conditions.hints };
}

interface Statement {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

const RECORDS = 'records r join files f on f.id = r.file';
const EVERYTHING: Statement = { sql: `select ${COLUMNS} from ${RECORDS} order by r.id desc`, values: [] };

/** Null when nothing is asked for. */
function statementOf({ match, unwanted, where, values }: Conditions): Statement | null {
  const all = [
    ...(match === null ? [] : ['terms match ?']),
    ...(unwanted === null ? [] : ['r.id not in (select rowid from terms where terms match ?)']),
    ...where,
  ];
  if (all.length === 0) return null;
  const from =
    match === null ? RECORDS : `terms t join records r on r.id = t.rowid join files f on f.id = r.file`;
  const words = [match, unwanted].filter((one) => one !== null);
  const sql = `select ${COLUMNS} from ${from} where ${all.join(' and ')} order by ${match === null ? 'r.id' : 't.rowid'} desc`;
  return { sql, values: [...words, ...values] };
}

const textsOf = ({ body }: Row): readonly string[] =>
  JSON.parse(inflateRawSync(body).toString('utf8')) as readonly string[];

/** Half as much for every month that it is old. */
function scoreOf({ role, at, title }: Row, query: Query, nowMs: number): number {
  const months = Math.max(0, nowMs - Date.parse(at)) / (30 * 86_400_000);
  const name = title.toLowerCase();
  const isCalled = query.all.some((clauses) => clauses.some(({ words }) => name.includes(words.join(' '))));
  return WEIGHTS[role] + 2 / (1 + months) + (isCalled ? 1 : 0);
}

function groupOf(all: readonly Ranked[], query: Query): readonly Group[] {
  const [first] = all;
  if (first === undefined) return [];
  const { strand, agent, title, cwd, updated } = first.row;
  const hits = all.slice(0, HITS_PER_GROUP).map(({ row, score }) => hitOf(row, score, query));
  return [{ strand: strand as StrandId, agent, title, cwd, updatedAt: updated, hits, count: all.length }];
}

function hitOf(row: Row, score: number, query: Query): SearchHit {
  const clauses = query.all.flat();
  const texts = textsOf(row);
  const shown = texts.map((text) => snippetOf(text, clauses));
  const best = shown.find(({ marks }) => marks.length > 0) ?? shown[0] ?? { text: '', marks: [] };
  return {
    record: row.record as RecordId,
    turn: row.turn as RecordId | null,
    at: row.at,
    role: row.role,
    snippet: best.text,
    marks: best.marks.map(([start, end]): [number, number] => [start, end]),
    score: Math.round(score * 1000) / 1000,
  };
}

function agentsOf(groups: readonly (readonly Ranked[])[]): Found['facets']['agents'] {
  const counts = new Map<string, number>();
  for (const all of groups) {
    const agent = all[0]?.row.agent ?? '';
    counts.set(agent, (counts.get(agent) ?? 0) + all.length);
  }
  return [...counts].map(([agent, count]) => ({ agent, count })).toSorted((a, b) => b.count - a.count);
}
