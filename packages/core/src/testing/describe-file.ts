/** What today's code reads from a strand file, as plain JSON: what the golden files are held against. */
import type { StrandId } from '../record/ids.ts';
import { redoTarget, undoTarget } from '../restore/target.ts';
import { contextOf } from '../strand/context.ts';
import { lintStrand } from '../strand/lint.ts';
import { pendingNote } from '../strand/note.ts';
import { replay } from '../strand/replay.ts';
import { settingsOf } from '../strand/settings.ts';
import { cursorOf } from '../strand/state.ts';
import { summaryOf } from '../strand/summary.ts';
import { offshootsOf } from '../strand/tree.ts';
import { turnsOf } from '../strand/turns.ts';
import { decodeFile } from './decode-file.ts';

export const describeFile = (bytes: Uint8Array): unknown => {
  const lines = decodeFile(bytes);
  const state = replay(lines);
  const described = {
    summary: summaryOf(state, { id: 'a1b2c3d4e5f6' as StrandId }),
    tip: state.tip,
    cursor: cursorOf(state),
    settings: settingsOf(state),
    spend: state.spend,
    turns: turnsOf(state),
    openTurn: state.openTurn,
    offshoots: offshootsOf(state),
    undone: [...state.undone],
    undo: undoTarget(state, { scope: 'both' }),
    redo: redoTarget(state),
    note: pendingNote(state),
    context: contextOf(state),
    gaps: state.gaps,
    bad: state.bad,
    unknownKinds: [...state.unknownKinds],
    lint: lintStrand(lines),
  };
  return JSON.parse(JSON.stringify(described));
};
