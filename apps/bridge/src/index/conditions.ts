/** A query as SQLite is asked it: an FTS5 expression made of quoted terms only, and conditions with parameters. */
import type { Clause, Filter, Query } from '@skein/core/search/query';

export interface Conditions {
  /** Null: no word is asked for. */
  readonly match: string | null;
  /** Words that may not be there, when none is that must. */
  readonly unwanted: string | null;
  readonly where: readonly string[];
  readonly values: readonly (string | number)[];
  readonly hints: readonly string[];
}

export const conditionsOf = (query: Query): Conditions => {
  const wanted = query.all
    .map((alternatives) => `(${alternatives.map(expression).join(' OR ')})`)
    .join(' AND ');
  const unwanted = query.none.map(expression).join(' OR ');
  const found = query.filters.map(conditionOf);
  const both = wanted !== '' && unwanted !== '' ? `(${wanted}) NOT (${unwanted})` : wanted;
  return {
    match: both === '' ? null : both,
    unwanted: wanted === '' && unwanted !== '' ? unwanted : null,
    where: found.flatMap(({ sql }) => (sql === null ? [] : [sql])),
    values: found.flatMap(({ values }) => values),
    hints: found.flatMap(({ hint }) => (hint === null ? [] : [hint])),
  };
};

/** Terms hold letters, digits, `+` and `#` only: in quotes none of them is an operator. */
function expression({ words, isPrefix }: Clause): string {
  const phrase = `"${words.join(' ')}"${isPrefix ? ' *' : ''}`;
  return words.length === 1 ? `({words pieces} : ${phrase})` : `({words} : ${phrase})`;
}

interface Condition {
  readonly sql: string | null;
  readonly values: readonly (string | number)[];
  readonly hint: string | null;
}

function conditionOf(filter: Filter): Condition {
  const found = plainCondition(filter);
  if (found.sql === null || !filter.isNot) return found;
  return { ...found, sql: `not coalesce(${found.sql}, 0)` };
}

const likeOf = (value: string): string => `%${value.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
const LIKE = "like ? escape '\\'";

function plainCondition({ name, value }: Filter): Condition {
  const say = (sql: string, ...values: readonly (string | number)[]): Condition => ({
    sql,
    values,
    hint: null,
  });
  switch (name) {
    case 'agent':
      return say('f.agent = ?', value.toLowerCase());
    case 'in': {
      const folder = value.length > 1 ? value.replace(/\/+$/, '') : value;
      return say('(f.cwd = ? or substr(f.cwd, 1, ?) = ?)', folder, folder.length + 1, `${folder}/`);
    }
    case 'file':
      return say(`r.files ${LIKE}`, likeOf(value));
    case 'tool':
      return say(`r.tools ${LIKE}`, likeOf(` ${value} `));
    case 'role':
      return say('r.role = ?', value.toLowerCase());
    case 'model':
      return say(`lower(r.model) ${LIKE}`, likeOf(value));
    case 'name':
      return say(`lower(f.title) ${LIKE}`, likeOf(value));
    case 'before':
    case 'after':
      return dateCondition(name, value);
    case 'has':
      if (value === 'changes') return say('r.changes = 1');
      if (value === 'error') return say('r.error = 1');
      return { sql: null, values: [], hint: `has: knows “changes” and “error”, not “${value}”.` };
  }
}

/** A day, or a moment; `before` a day ends before it, `after` a day begins with the next. */
function dateCondition(name: 'before' | 'after', value: string): Condition {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const ms = Date.parse(value);
  if (Number.isNaN(ms))
    return { sql: null, values: [], hint: `${name}: takes a date as 2026-01-31, not “${value}”.` };
  const from = name === 'after' && isDay ? ms + 86_400_000 : ms;
  return {
    sql: name === 'before' ? 'r.at < ?' : 'r.at >= ?',
    values: [new Date(from).toISOString()],
    hint: null,
  };
}
