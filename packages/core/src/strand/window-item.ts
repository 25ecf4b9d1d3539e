/** Lines of a strand as they travel to a page, and back to what the fold reads. */
import type { WindowItem } from '../protocol/strands.ts';
import { decodeRecord } from '../record/line.ts';
import type { StrandLine } from './state.ts';

/** `bytes` is the length of the line, for bad lines. */
export const windowItemOf = ({ seq, decoded }: StrandLine, bytes: number): WindowItem => {
  switch (decoded.kind) {
    case 'ok':
      return { kind: 'record', seq, record: decoded.record };
    case 'unknown': {
      const { id, parent, at, recordKind } = decoded;
      return { kind: 'unknown', seq, id, parent, at, recordKind };
    }
    case 'torn':
    case 'corrupt':
      return { kind: 'bad', seq, reason: decoded.reason, bytes };
  }
};

/** The line as the fold takes it, from what the bridge sent of it. */
export const lineOfWindowItem = (item: WindowItem): StrandLine => {
  switch (item.kind) {
    case 'record':
      return typeof item.record === 'object' && item.record !== null && !Array.isArray(item.record)
        ? { seq: item.seq, decoded: decodeRecord(item.record as Record<string, unknown>) }
        : { seq: item.seq, decoded: { kind: 'corrupt', reason: 'not an object' } };
    case 'unknown': {
      const { seq, id, parent, at, recordKind } = item;
      return { seq, decoded: { kind: 'unknown', id, parent, at, recordKind, raw: {} } };
    }
    case 'bad':
      return { seq: item.seq, decoded: { kind: 'corrupt', reason: item.reason } };
  }
};
