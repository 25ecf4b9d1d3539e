/** The title of a strand without a name: its first prompt, one line, at most 80 characters. */
import { oneLine, truncate } from '../text/truncate.ts';
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

export const titleText = (text: string): string => truncate(oneLine(text.slice(0, 4000)), TITLE_LENGTH);

/** When everything was undone the path has no prompt, but the strand should still be found by its first. */
function firstEver(state: StrandState): StrandState['tip'] {
  for (const node of state.nodes.values()) if (node.prompt === node.id) return node.id;
  return null;
}
