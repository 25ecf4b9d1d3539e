/**
 * How long saved versions are kept, decided without touching any. A turn is given up as a whole: undo of half a turn
 * would be worse than none. Strands themselves are never part of this.
 */
import type { OpId, StrandId, TurnId } from '../record/ids.ts';

export interface RetentionLimits {
  /** Since the last use of a session. */
  readonly retentionDays: number | 'forever';
  /** Of one store. */
  readonly maxBytes: number;
  /** Of the disk that holds the data; below it old versions go and large ones are not taken. */
  readonly minFreeBytes: number;
}

/** Versions that stand and fall together: those of a turn, or what a restore parked so that it can be taken back. */
export interface SavedPart {
  readonly strand: StrandId;
  readonly kind: 'turn' | 'restore';
  readonly id: TurnId | OpId;
  readonly atMs: number;
  /** Contents it needs, by hash. */
  readonly blobs: readonly string[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

/** A full disk is often somebody else's doing: what is younger than this is not given up for it. */
export const SPACE_SPARES_MS = DAY_MS;
/** What is smaller is saved however little room is left: it is the work of the moment. */
export const SMALL_CAPTURE_BYTES = 16 * 1024 * 1024;
/** A content is saved before the line that names it: so long nobody may take it for unneeded. */
export const NEW_BLOB_GRACE_MS = HOUR_MS;

/** Whether nothing of a session needs to be kept any more. A time that cannot be told keeps it. */
export const isExpired = (
  usedAtMs: number,
  nowMs: number,
  retentionDays: RetentionLimits['retentionDays'],
): boolean => {
  if (retentionDays === 'forever' || !Number.isFinite(retentionDays) || retentionDays <= 0) return false;
  return nowMs - usedAtMs > retentionDays * DAY_MS;
};

export interface Pressure {
  /** Everything that any part needs, by hash; a content that is missing here counts nothing. */
  readonly bytesOf: ReadonlyMap<string, number>;
  /** Contents that parts beyond these need (sessions in use): they free nothing. */
  readonly pinned: ReadonlySet<string>;
  readonly maxBytes: number;
  /** What must come free for another reason, the floor of the disk. */
  readonly wantedBytes: number;
  readonly nowMs: number;
}

/**
 * The parts to give up, oldest first, what restores parked last, until what is left fits. For the floor of the disk the
 * youngest stay whatever is wanted.
 */
export const partsToGiveUp = (parts: readonly SavedPart[], pressure: Pressure): readonly SavedPart[] => {
  const needs = countNeeds(parts);
  const total = [...pressure.bytesOf.values()].reduce((sum, bytes) => sum + bytes, 0);
  const given: SavedPart[] = [];
  let freed = 0;
  for (const part of parts.toSorted(byAge)) {
    const isOver = total - freed > pressure.maxBytes;
    const isTight = freed < pressure.wantedBytes && pressure.nowMs - part.atMs > SPACE_SPARES_MS;
    if (!isOver && !isTight) continue;
    given.push(part);
    for (const sha256 of new Set(part.blobs)) {
      const left = (needs.get(sha256) ?? 1) - 1;
      needs.set(sha256, left);
      if (left === 0 && !pressure.pinned.has(sha256)) freed += pressure.bytesOf.get(sha256) ?? 0;
    }
  }
  return given;
};

/** What must come free so that the floor holds again. */
export const missingBytes = (
  freeBytes: number,
  { minFreeBytes }: Pick<RetentionLimits, 'minFreeBytes'>,
): number => Math.max(0, minFreeBytes - freeBytes);

/** Whether a content may be saved now: small ones always, a large one only while the floor holds after it. */
export const mayCapture = (
  sizeBytes: number,
  freeBytes: number,
  { minFreeBytes }: Pick<RetentionLimits, 'minFreeBytes'>,
): boolean => sizeBytes <= SMALL_CAPTURE_BYTES || freeBytes - sizeBytes >= minFreeBytes;

function countNeeds(parts: readonly SavedPart[]): Map<string, number> {
  const needs = new Map<string, number>();
  for (const { blobs } of parts)
    for (const sha256 of new Set(blobs)) needs.set(sha256, (needs.get(sha256) ?? 0) + 1);
  return needs;
}

function byAge(a: SavedPart, b: SavedPart): number {
  if (a.kind !== b.kind) return a.kind === 'turn' ? -1 : 1;
  return a.atMs - b.atMs;
}

export type ExpiryReason = 'age' | 'size' | 'space' | 'purged';

/** One sentence for whoever wants to undo something whose versions are gone. */
export const expiredSentence = (reason: ExpiryReason, days: number | null): string => {
  switch (reason) {
    case 'age':
      return `The saved versions were removed after ${daysInWords(days)}.`;
    case 'size':
      return 'The saved versions were removed because the store had reached its size limit.';
    case 'space':
      return 'The saved versions were removed because the disk was nearly full.';
    case 'purged':
      return 'The saved versions were removed by a purge.';
  }
};

function daysInWords(days: number | null): string {
  if (days === null) return 'their time';
  return days === 1 ? '1 day' : `${Number(days.toFixed(2))} days`;
}
