/**
 * What the bridge sent, as the fold reads it. The bridge has checked every record against its schema, and
 * what did not fit came as a bad line, so nothing is checked again here: a window of thousands of records
 * must be on the screen at once.
 */
import type { WindowItem } from '@skein/core/protocol/strands';
import type { StrandRecord } from '@skein/core/record/schema';
import type { StrandLine } from '@skein/core/strand/replay';

export function lineOfItem(item: WindowItem): StrandLine {
  const { seq } = item;
  switch (item.kind) {
    case 'record':
      return { seq, decoded: { kind: 'ok', record: item.record as StrandRecord } };
    case 'unknown': {
      const { id, parent, at, recordKind } = item;
      return { seq, decoded: { kind: 'unknown', id, parent, at, recordKind, raw: {} } };
    }
    case 'bad':
      return { seq, decoded: { kind: 'corrupt', reason: item.reason } };
  }
}
