/** The title of a strand without a name: the first line of its first prompt, at most 80 characters. */
import { oneLine, truncate } from '../text/truncate.ts';
import { visibleMarks } from '../text/visible-marks.ts';
import { promptText } from './prompts.ts';
import type { StrandState } from './state.ts';

export const TITLE_LENGTH = 80;

/** Empty before the first prompt. The path's first prompt, so that it names what is on the screen. */
export const titleOf = (state: StrandState): string => {
  const tip = state.tip === null ? undefined : state.nodes.get(state.tip);
  const first = tip?.firstPrompt ?? firstEver(state);
  const record = first === null ? null : state.nodes.get(first)?.record;
  return record?.kind === 'message' ? titleText(promptText(record)) : '';
};

export const titleText = (text: string): string => {
  const head = text.slice(0, 4000);
  const first = head.split('\n').find((line) => line.trim() !== '');
  return truncate(visibleMarks(oneLine(first ?? head)), TITLE_LENGTH);
};

/** When everything was undone the path has no prompt, but the strand should still be found by its first. */
function firstEver(state: StrandState): StrandState['tip'] {
  for (const node of state.nodes.values()) if (node.prompt === node.id) return node.id;
  return null;
}
