/** Runs beside the page: a slow grammar stops here and not the scrolling. */
import { createTokenizer, type HighlightReply, type HighlightRequest } from './highlight-tokens.ts';

const tokenize = createTokenizer();

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  const reply = (lines: HighlightReply['lines']): void => postMessage({ id: data.id, lines });
  tokenize(data.code, data.language).then(reply, () => reply(null));
});
