/** A person's answer to a permission request, from any page or terminal; the first one counts. */
import type { decideOutputSchema, PermissionRequest } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';
import type { z } from 'zod';
import type { DeskDecision, PermissionDesk } from '../agents/permission-desk.ts';

export interface DecidePermissionDeps {
  readonly desk: Pick<PermissionDesk, 'decide'>;
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
    // Only the answer that counts leaves a rule behind: another window may have denied this very request.
    const request = deps.desk.decide(input.id, input.strand, decisionOf(input));
    if (request === null) return { accepted: false, saved: false };
    return { accepted: true, saved: await saveRule(deps, input, request) };
  };

const saveRule = async (
  deps: DecidePermissionDeps,
  input: Input,
  request: PermissionRequest,
): Promise<boolean> =>
  input.decision === 'always' && request.rule !== null ? deps.remember(input.strand, request.rule) : false;

const decisionOf = ({ decision, reason }: Input): DeskDecision =>
  decision === 'deny' ? { kind: 'deny', reason: reason ?? null } : { kind: decision };
