/** Sessions of other agents, newest first, filtered and in pages. */
import type { ForeignSession, HistoryList, historyListInputSchema } from '@skein/core/protocol/history';
import type { z } from 'zod';
import type { HistoryStore } from '../history/types.ts';

export interface ListHistoryDeps {
  readonly history: Pick<HistoryStore, 'list'>;
  readonly realPath: (path: string) => Promise<string>;
}

type Input = z.output<typeof historyListInputSchema>;

export const createListHistory =
  (deps: ListHistoryDeps) =>
  async (input: Input): Promise<HistoryList> => {
    const { sessions, notices } = await deps.history.list();
    const folders = input.cwd === undefined ? null : [input.cwd, await deps.realPath(input.cwd)];
    const found = sessions.filter((session) => matches(session, input, folders));
    const start = input.after === undefined ? 0 : found.findIndex(({ id }) => id === input.after) + 1;
    const items = found.slice(start, start + input.limit);
    const last = items.at(-1);
    const next = last !== undefined && start + items.length < found.length ? last.id : null;
    return { items, next, total: found.length, agents: countsOf(sessions), notices: [...notices] };
  };

const matches = (
  session: ForeignSession,
  { agent, text, gone }: Input,
  folders: readonly string[] | null,
): boolean => {
  if (agent !== undefined && session.agent !== agent) return false;
  if (gone === true && !session.gone) return false;
  if (folders !== null && !folders.some((folder) => isIn(session.cwd, folder))) return false;
  if (text === undefined || text === '') return true;
  const wanted = text.toLowerCase();
  return [session.title, session.cwd ?? '', session.path].some((one) => one.toLowerCase().includes(wanted));
};

/** By whole names: `/a/b-c` is not in `/a/b`. Paths of another system are compared as they are written. */
const isIn = (path: string | null, folder: string): boolean =>
  path !== null && (path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`));

const countsOf = (sessions: readonly ForeignSession[]): HistoryList['agents'] => {
  const counts = new Map<ForeignSession['agent'], number>();
  for (const { agent } of sessions) counts.set(agent, (counts.get(agent) ?? 0) + 1);
  return [...counts].map(([agent, count]) => ({ agent, sessions: count }));
};
