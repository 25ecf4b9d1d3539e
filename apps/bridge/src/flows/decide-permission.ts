/** A person's answer to a permission request, from any page or terminal; the first one counts. */
import type { decideOutputSchema, PermissionRequest } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';
import type { z } from 'zod';
import type { DeskDecision, PermissionDesk } from '../agents/permission-desk.ts';

export interface DecidePermissionDeps {
  readonly desk: Pick<PermissionDesk, 'decide' | 'open'>;
  /** Saves a rule; false when it holds for this session only. */
  readonly remember: (strand: StrandId, rule: string) => Promise<boolean>;
}

interface Input {
  readonly id: string;
  readonly strand: StrandId;
  readonly decision: 'allow' | 'always' | 'deny';
  readonly reason?: string | undefined;
}

/** `accepted: false`: the request is gone, answered or of another session. */
export const createDecidePermission =
  (deps: DecidePermissionDeps) =>
  async (input: Input): Promise<z.infer<typeof decideOutputSchema>> => {
    const request = deps.desk.open().find(({ id, strand }) => id === input.id && strand === input.strand);
    if (request === undefined) return { accepted: false, saved: false };
    const saved = await saveRule(deps, input, request);
    return { accepted: deps.desk.decide(input.id, input.strand, decisionOf(input)) !== null, saved };
  };

const saveRule = async (
  deps: DecidePermissionDeps,
  input: Input,
  request: PermissionRequest,
): Promise<boolean> =>
  input.decision === 'always' && request.rule !== null ? deps.remember(input.strand, request.rule) : false;

const decisionOf = ({ decision, reason }: Input): DeskDecision =>
  decision === 'deny' ? { kind: 'deny', reason: reason ?? null } : { kind: decision };
