/** Lines as they travel to the page, and back: the page runs the same fold as the bridge. */
import type { WindowItem } from '../protocol/strands.ts';
import type { JsonObject } from '../record/json-line.ts';
import { decodeRecord } from '../record/line.ts';
import type { StrandLine } from './state.ts';

/** `bytes` is the length of the line in the file, shown for a line that cannot be read. */
export const itemOfLine = ({ seq, decoded }: StrandLine, bytes: number): WindowItem => {
  switch (decoded.kind) {
    case 'ok':
      return { kind: 'record', seq, record: decoded.record };
    case 'unknown':
      return { kind: 'unknown', seq, id: decoded.id, parent: decoded.parent, at: decoded.at, recordKind: decoded.recordKind };
    case 'torn':
    case 'corrupt':
      return { kind: 'bad', seq, reason: decoded.reason, bytes };
  }
};

/** The content of an unknown record does not travel, only its place in the tree. */
export const lineOfItem = (item: WindowItem): StrandLine => {
  const { seq } = item;
  switch (item.kind) {
    case 'record':
      return { seq, decoded: decodeRecord(item.record as JsonObject) };
    case 'unknown': {
      const { id, parent, at, recordKind } = item;
      return { seq, decoded: { kind: 'unknown', id, parent, at, recordKind, raw: {} } };
    }
    case 'bad':
      return { seq, decoded: { kind: 'corrupt', reason: item.reason } };
  }
};
