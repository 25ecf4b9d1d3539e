/** What a list row says of a session, gathered while its file is read once; keeps no record. */
import type { Emitted, ForeignAgent, SessionFacts } from '@skein/core/import/reader';
import type { ForeignSession } from '@skein/core/protocol/history';
import type { StrandId } from '@skein/core/record/ids';
import type { RecordOf, StrandRecord } from '@skein/core/record/schema';
import { isPrompt, promptText } from '@skein/core/strand/prompts';
import { titleText } from '@skein/core/strand/title';
import type { FileKey } from '../platform/scan-dir.ts';

interface Counted {
  readonly prompt: boolean;
  readonly message: boolean;
  readonly input: number;
  readonly output: number;
  readonly cost: number | null;
}

export interface FactsFold {
  /** One that goes its own way. */
  copy(): FactsFold;
  add(emitted: readonly Emitted[]): void;
  /** Null when the file holds no session: no header was read. */
  row(file: {
    readonly path: string;
    readonly agent: ForeignAgent;
    readonly key: FileKey;
  }): ForeignSession | null;
}

interface Seen {
  id: StrandId | null;
  cwd: string | null;
  title: string;
  model: string | null;
  at: string | null;
  parent: StrandId | null;
  problems: number;
  unknown: number;
}

const NOTHING: Seen = {
  id: null,
  cwd: null,
  title: '',
  model: null,
  at: null,
  parent: null,
  problems: 0,
  unknown: 0,
};

export const createFactsFold = (
  counted: Map<string, Counted> = new Map(),
  start: Partial<SessionFacts> = {},
  before: Seen = NOTHING,
): FactsFold => {
  let facts = start;
  const seen: Seen = { ...before };
  const addRecord = (record: StrandRecord): void => {
    if (seen.at === null || record.at > seen.at) seen.at = record.at;
    if (record.kind === 'header') noteHeader(seen, record);
    if (record.kind !== 'message' && record.kind !== 'usage') return;
    const prompt = isPrompt(record);
    if (prompt && seen.title === '') seen.title = titleText(promptText(record));
    seen.model = record.model ?? seen.model;
    counted.set(record.id, {
      prompt,
      message: record.kind === 'message',
      input: record.usage?.input ?? 0,
      output: record.usage?.output ?? 0,
      cost: record.cost ?? null,
    });
  };

  return {
    copy: () => createFactsFold(new Map(counted), facts, seen),
    add(emitted) {
      for (const one of emitted) {
        if (one.kind === 'record') addRecord(one.record);
        else if (one.kind === 'facts') facts = { ...facts, ...one.facts };
        else if (one.kind === 'bad') seen.problems += 1;
        else seen.unknown += 1;
      }
    },
    row({ path, agent, key }) {
      if (seen.id === null) return null;
      const cwd = facts.cwd ?? seen.cwd;
      return {
        id: seen.id,
        agent,
        path,
        title: titleText(facts.title ?? seen.title),
        cwd: cwd === '' ? null : cwd,
        startedAt: facts.startedAt ?? null,
        updatedAt: facts.updatedAt ?? seen.at ?? new Date(key.mtimeMs).toISOString(),
        model: seen.model,
        ...sums([...counted.values()]),
        sizeBytes: key.size,
        parent: seen.parent,
        problems: seen.problems,
        unknown: seen.unknown,
        kept: false,
        gone: false,
      };
    },
  };
};

const noteHeader = (seen: Seen, { strand, cwd, origin }: RecordOf<'header'>): void => {
  seen.id = strand;
  seen.cwd = cwd;
  seen.parent = origin?.via === 'subagent' ? origin.strand : null;
};

/** Each record counts once, as it was said last. */
const sums = (all: readonly Counted[]) => {
  const sum = (pick: (one: Counted) => number): number => all.reduce((total, one) => total + pick(one), 0);
  const [input, output] = [sum((one) => one.input), sum((one) => one.output)];
  return {
    prompts: sum((one) => Number(one.prompt)),
    messages: sum((one) => Number(one.message)),
    tokens: input + output === 0 ? null : { input, output },
    cost: all.some(({ cost }) => cost !== null) ? sum((one) => one.cost ?? 0) : null,
  };
};
