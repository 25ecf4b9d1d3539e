/** Reads one file or link into the store: its content, byte for byte, with no filter and no conversion. */
import { createHash, hash } from 'node:crypto';
import { asBytePath } from '../../platform/byte-path.ts';
import { type ObjectId, objectId, type PackWriter, packOne } from '../../platform/pack-file.ts';
import { openContent, type ReadBuffer, readContent, readTarget } from '../../platform/read-content.ts';
import { lookAtPath, type Sight } from '../../platform/sight.ts';
import { pathOf, type Read, type TreeState } from './findings.ts';
import type { Entry } from './folder.ts';
import type { LeftOutReason } from './types.ts';

export interface ReadContext {
  readonly state: TreeState;
  readonly pack: PackWriter;
  readonly memory: ReadBuffer;
  /** `objects/` of the store. */
  readonly objects: string;
  readonly nowMs: () => number;
  /** A larger file is left out. */
  readonly maxFileBytes: number;
}

export type ReadOutcome =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'gone' }
  | { readonly kind: 'left_out'; readonly reason: LeftOutReason };

/** Over this a file does not go through memory as a whole. */
const WHOLE_BYTES = 16 * 1024 * 1024;
const TRIES = 3;

/** `known`: what the store holds for the path; its content is not written again. Fault `io`. */
export const readEntry = async (
  context: ReadContext,
  read: Read,
  known: Entry | null,
): Promise<ReadOutcome> => {
  let sight: Sight | null | 'unreadable' = read.sight;
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (sight === null || sight === 'unreadable' || sight.type === 'dir') return goneOr(sight);
    if (sight.type === 'other') return { kind: 'left_out', reason: 'special' };
    if (sight.type === 'file' && sight.size > context.maxFileBytes)
      return { kind: 'left_out', reason: 'too_large' };
    const outcome =
      sight.type === 'link'
        ? readLink(context, read, sight)
        : await readFile(context, read, { sight, known });
    if (outcome !== 'moved') return outcome;
    sight = lookAtPath(context.state.root, pathOf(read));
  }
  return { kind: 'left_out', reason: 'changing' };
};

const goneOr = (sight: Sight | null | 'unreadable'): ReadOutcome =>
  sight === 'unreadable' ? { kind: 'left_out', reason: 'unreadable' } : { kind: 'gone' };

const readLink = ({ state, pack, nowMs }: ReadContext, read: Read, sight: Sight): ReadOutcome | 'moved' => {
  const startedMs = nowMs();
  const target = readTarget(state.root, pathOf(read));
  if (target === null) return 'moved';
  const oid = pack.add('blob', target);
  const sha256 = hash('sha256', target, 'buffer');
  return {
    kind: 'entry',
    entry: {
      sight: { ...sight, mode: 0 },
      isLink: true,
      // A link that replaced this one in the same tick may have its numbers.
      isRacy: isRacyAt(sight.ctimeMs, startedMs),
      oid,
      sha256,
      target: asBytePath(target.toString('latin1')),
    },
  };
};

const readFile = async (
  context: ReadContext,
  read: Read,
  { sight, known }: { readonly sight: Sight; readonly known: Entry | null },
): Promise<ReadOutcome | 'moved'> => {
  if (sight.size > WHOLE_BYTES) return readLong(context, read);
  const startedMs = context.nowMs();
  const content = readContent(context.state.root, pathOf(read), context.memory);
  if (content.kind === 'moved') return 'moved';
  if (content.kind === 'unreadable') return { kind: 'left_out', reason: 'unreadable' };
  const oid = objectId('blob', content.bytes);
  if (known === null || !known.oid.equals(oid)) context.pack.add('blob', content.bytes, oid);
  return fileEntry(content.sight, startedMs, { oid, sha256: hash('sha256', content.bytes, 'buffer') });
};

const readLong = async (context: ReadContext, read: Read): Promise<ReadOutcome | 'moved'> => {
  const startedMs = context.nowMs();
  const content = openContent(context.state.root, pathOf(read));
  if ('kind' in content)
    return content.kind === 'moved' ? 'moved' : { kind: 'left_out', reason: 'unreadable' };
  const sha256 = createHash('sha256');
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of content.chunks) {
      sha256.update(chunk);
      yield chunk;
    }
  };
  try {
    const oid = await packOne(context.objects, 'blob', { size: content.size, chunks: chunks() });
    const sight = content.finish();
    if (oid === null || sight === null) return 'moved';
    return fileEntry(sight, startedMs, { oid, sha256: sha256.digest() });
  } finally {
    content.close();
  }
};

const fileEntry = (
  sight: Sight,
  startedMs: number,
  ids: { readonly oid: ObjectId; readonly sha256: Buffer },
): ReadOutcome => {
  const { mtimeMs, ctimeMs, size, ino, mode, links } = sight;
  const isRacy = isRacyAt(mtimeMs, startedMs) || isRacyAt(ctimeMs, startedMs);
  return {
    kind: 'entry',
    entry: {
      sight: { mtimeMs, ctimeMs, size, ino, mode, links },
      isLink: false,
      isRacy,
      target: null,
      ...ids,
    },
  };
};

/** Clocks of file systems tick: every 4 ms on most, every 2 s on those that keep whole seconds. */
export const isRacyAt = (timeMs: number, nowMs: number): boolean =>
  timeMs >= nowMs - (timeMs % 1000 === 0 ? 2000 : 50);
