/** Strands of another Skein, or of another data directory: every line is checked as our own are. */
import { decodeLine } from '../../record/line.ts';
import { encodeUtf8 } from '../../text/utf8.ts';
import type { Emitted, SessionReader } from '../reader.ts';

export interface SkeinState {
  at: string | null;
}

export const skeinReader: SessionReader<SkeinState> = {
  agent: 'skein',
  version: 1,
  unit: 'line',
  accepts: (head, path) =>
    path.endsWith('.jsonl') &&
    /"kind":"header"/.test(head.slice(0, 4096)) &&
    /"format":"skein"/.test(head.slice(0, 4096)),
  start: () => ({ at: null }),
  read(state, text, line): readonly Emitted[] {
    if (text === '') return [];
    const decoded = decodeLine(encodeUtf8(text));
    if (decoded.kind === 'unknown') return [{ kind: 'unknown', line, type: decoded.recordKind }];
    if (decoded.kind !== 'ok') return [{ kind: 'bad', line, reason: decoded.reason }];
    const { record } = decoded;
    state.at = record.at;
    const out: Emitted[] = [{ kind: 'record', record, line }];
    if (record.kind === 'header') {
      const { strand, cwd, at, repo } = record;
      out.push({
        kind: 'facts',
        facts: { session: strand, cwd, startedAt: at, branch: repo?.branch ?? null },
      });
    }
    if (record.kind === 'name')
      out.push({ kind: 'facts', facts: { title: record.name === '' ? null : record.name } });
    return out;
  },
  end: ({ at }) => (at === null ? [] : [{ kind: 'facts', facts: { updatedAt: at } }]),
};
