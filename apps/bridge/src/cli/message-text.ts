/** The whole text of a message; text that was moved out of the record is fetched. */
import { Buffer } from 'node:buffer';
import type { StrandId } from '@skein/core/record/ids';
import type { Content, Part } from '@skein/core/record/parts';
import type { ApiClient } from './deps.ts';

/** Its text parts, one line apart. */
export const textOfParts = async (
  client: ApiClient,
  strand: StrandId,
  parts: readonly Part[],
): Promise<string> => {
  const texts: string[] = [];
  for (const part of parts) if (part.type === 'text') texts.push(await wholeText(client, strand, part.text));
  return texts.join('\n');
};

const PAGE_BYTES = 1_048_576;

const wholeText = async (client: ApiClient, strand: StrandId, content: Content): Promise<string> => {
  if (typeof content === 'string') return content;
  const pieces: Buffer[] = [];
  for (let offset = 0; ; ) {
    const page = await client.strands.spill.query({
      strand,
      sha256: content.sha256,
      offset,
      limit: PAGE_BYTES,
    });
    const piece = Buffer.from(page.b64, 'base64');
    pieces.push(piece);
    offset += piece.length;
    if (page.end || piece.length === 0) return Buffer.concat(pieces).toString('utf8');
  }
};
