/**
 * One record as a line of a strand, and back. Decoding never throws and never changes what it read: a
 * record comes out exactly as it was written, foreign members included, only without `sum`.
 */
import { z } from 'zod';
import { type RecordId, recordIdSchema } from './ids.ts';
import { decodeJsonLine, encodeJsonLine, type JsonObject } from './json-line.ts';
import {
  atSchema,
  type RecordKind,
  type RecordOf,
  recordBodySchema,
  STRAND_FORMAT_VERSION,
  type StrandRecord,
} from './schema.ts';

export type DecodedLine =
  | { readonly kind: 'ok'; readonly record: StrandRecord }
  /** A kind of a newer Skein: kept, shown, never the tip. `raw` is the whole object without `sum`. */
  | {
      readonly kind: 'unknown';
      readonly id: RecordId;
      readonly parent: RecordId | null;
      readonly at: string;
      readonly recordKind: string;
      readonly raw: JsonObject;
    }
  /** What a crash in a write leaves: does not end with a checksum. */
  | { readonly kind: 'torn'; readonly reason: string }
  /** Complete, but the checksum or the content is wrong. */
  | { readonly kind: 'corrupt'; readonly reason: string };

const KNOWN_KINDS: ReadonlySet<string> = new Set<RecordKind>([
  'header',
  'message',
  'change',
  'digest',
  'boundary',
  'custom',
  'tip',
  'restore',
  'turn',
  'usage',
  'decision',
  'name',
  'flag',
  'recovery',
]);

const ID = /^[0-9a-z]{12}$/;

/** The bytes of one record, `\n` included: what one append writes. */
export const encodeLine = (record: StrandRecord): Uint8Array<ArrayBuffer> => encodeJsonLine(record);

/** Reads one line, given without its `\n`. */
export const decodeLine = (bytes: Uint8Array): DecodedLine => {
  const line = decodeJsonLine(bytes);
  return line.kind === 'ok' ? decodeRecord(line.value) : line;
};

/** Checks an object that was read from a line, or that the bridge sent to the page. */
export const decodeRecord = (value: JsonObject): DecodedLine => {
  const { id, parent, at, kind } = value;
  if (typeof id !== 'string' || !ID.test(id)) return { kind: 'corrupt', reason: 'id: not a record id' };
  if (parent !== null && (typeof parent !== 'string' || !ID.test(parent))) {
    return { kind: 'corrupt', reason: 'parent: not a record id' };
  }
  if (typeof at !== 'string' || !atSchema.safeParse(at).success) {
    return { kind: 'corrupt', reason: 'at: not a UTC time' };
  }
  if (typeof kind !== 'string') return { kind: 'corrupt', reason: 'kind: missing' };
  if (!KNOWN_KINDS.has(kind)) {
    return {
      kind: 'unknown',
      id: id as RecordId,
      parent: parent as RecordId | null,
      at,
      recordKind: kind,
      raw: value,
    };
  }
  // The checks have no transforms, so the object itself fits the type; zod's copy would lose foreign members.
  const checked = recordBodySchema.safeParse(value);
  if (checked.success) return { kind: 'ok', record: value as StrandRecord };
  const newer = kind === 'header' ? readNewerHeader(value) : null;
  if (newer !== null) return { kind: 'ok', record: newer };
  return { kind: 'corrupt', reason: firstIssue(checked.error) };
};

/** What must be readable in a header of any future version, so that the strand can be listed and shown. */
const newerHeaderSchema = z.object({
  format: z.literal('skein'),
  v: z.number().int().gt(STRAND_FORMAT_VERSION),
  strand: z.string().regex(/^[0-9a-f]{12}$/),
  cwd: z.string().catch(''),
  agent: z.string().catch('unknown'),
});

/** A header whose `v` is newer than ours opens read-only, even when its other members no longer fit. */
function readNewerHeader(value: JsonObject): RecordOf<'header'> | null {
  const header = newerHeaderSchema.safeParse(value);
  if (!header.success) return null;
  const { cwd, agent } = header.data;
  const versions = { skein: '', node: '', os: '' };
  return { ...value, cwd, agent, versions, repo: null, origin: null } as unknown as RecordOf<'header'>;
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined
    ? 'does not fit its kind'
    : `${issue.path.join('.') || 'record'}: ${issue.message}`;
}

/** For callers that hold an id as plain text. */
export const isRecordId = (text: string): text is RecordId => recordIdSchema.safeParse(text).success;
