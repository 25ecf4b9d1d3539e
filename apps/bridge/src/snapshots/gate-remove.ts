/** One gated delete: parked and journalled like a write. A link is deleted itself, never what it leads to. */
import { showPath } from '@skein/core/record/path-ref';
import { openDir, syncHeldDir } from '../platform/tree-files.ts';
import { removeName } from '../platform/tree-files-write.ts';
import { parkOf } from './deps.ts';
import { lookAt, type Sight } from './file-states.ts';
import type { GateContext } from './gate-context.ts';
import { journalMutations, type Mutation } from './gate-journal.ts';
import { findPlace } from './gate-place.ts';
import { readPlace } from './gate-read.ts';
import type { GateResult } from './gate-types.ts';
import { checkExpected, checkState, takeBack } from './gate-write.ts';
import { type Refused, refuse, refusedPark } from './refusal.ts';
import { type Parts, refOf, splitLast } from './tree-path.ts';
import type { TurnGate } from './types.ts';

type Request = Parameters<TurnGate['remove']>[0];
type Parked = { readonly kind: 'parked'; readonly sight: Sight; readonly mutation: Mutation } | Refused;

/** Fault `io` when the disk refuses after the version was parked; the file is then still there. */
export const gateRemove = async (gate: GateContext, request: Request): Promise<GateResult> => {
  const place = await findPlace(gate, request.path, { access: 'write', followLast: false });
  if (place.kind === 'refused') return place;
  const parked = await park(gate, place.parts, request);
  if (parked.kind === 'refused') return parked;
  const { sight, mutation } = parked;
  try {
    await gate.store.failpoint?.('gate.journalled');
    if (!(await unlinkParked(gate, place.parts, sight))) {
      await takeBack(gate, mutation);
      return refuse(
        'changed_since_read',
        `${request.path} changed while it was being deleted. Read it again.`,
      );
    }
  } catch (error) {
    await takeBack(gate, mutation);
    throw error;
  }
  return { kind: 'written', path: showPath(mutation.path), pre: mutation.pre, post: mutation.post };
};

async function park(gate: GateContext, parts: Parts, { call, path, expect }: Request): Promise<Parked> {
  try {
    const sight = await lookAt(gate.root, parts, parkOf(gate.store));
    const { state } = sight;
    if (state.type === 'absent') return refuse('not_found', `${path} does not exist.`);
    const refused = checkState(path, state) ?? (await checkRead(gate, { path, sight, expect }));
    if (refused !== null) return refused;
    await gate.store.failpoint?.('gate.parked');
    const mutation: Mutation = {
      call,
      path: refOf(parts),
      pre: state,
      post: { type: 'absent' },
      madeDirs: [],
      temp: null,
      by: 'gate',
    };
    await journalMutations(gate, [mutation]);
    return { kind: 'parked', sight, mutation };
  } catch (error) {
    return refusedPark(path, error);
  }
}

/** What the agent read at a link was the content behind it. */
async function checkRead(
  gate: GateContext,
  {
    path,
    sight,
    expect,
  }: { readonly path: string; readonly sight: Sight; readonly expect: string | undefined },
): Promise<Refused | null> {
  if (expect === undefined || sight.state.type !== 'link') return checkExpected(path, sight.state, expect);
  const behind = await readPlace(gate, path);
  if (behind.kind === 'refused') return behind;
  return behind.sha256 === expect
    ? null
    : refuse('changed_since_read', `${path} has changed since you read it. Read it again.`);
}

/** False when the target is no longer what was parked. */
async function unlinkParked(gate: GateContext, parts: Parts, { stamp }: Sight): Promise<boolean> {
  const { folder, name } = splitLast(parts);
  const opened = openDir(gate.root, folder);
  if (opened.kind !== 'open' || stamp === null) return false;
  try {
    if (removeName(opened.dir, name, stamp) === 'moved') return false;
    await gate.store.failpoint?.('gate.renamed');
    await syncHeldDir(opened.dir);
    return true;
  } finally {
    opened.dir.close();
  }
}
