/**
 * Decides one tool call: rules and mode through core, then a person through the desk. The mode is read at
 * each call, so that a change in the picker holds for the next one.
 */

import { decide, targetOf } from '@skein/core/config/permission';
import { ruleFor } from '@skein/core/config/permission-rule';
import type { PermissionMode } from '@skein/core/config/personal';
import type { PermissionRequest } from '@skein/core/protocol/turns';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { DeskDecision } from './permission-desk.ts';
import type { PermissionAnswer, PermissionGate } from './ports.ts';

export interface PermissionGateDeps {
  readonly strand: StrandId;
  readonly turn: TurnId;
  readonly root: string;
  readonly cwd: string;
  readonly mode: () => PermissionMode;
  readonly rules: () => { readonly allow: readonly string[]; readonly deny: readonly string[] };
  /** Nobody can answer: what would be asked is denied at once. */
  readonly interactive: boolean;
  readonly newId: () => string;
  readonly nowIso: () => string;
  /** Shows the request and resolves with the decision; rejects with `interrupted`. */
  readonly ask: (request: PermissionRequest) => Promise<DeskDecision>;
}

const READ_ONLY: ReadonlySet<string> = new Set(['read', 'grep', 'glob']);

type Question = Parameters<PermissionGate['ask']>[0];

const NOBODY =
  'This call needs a permission and nobody is there to give it. Choose another mode or add a rule.';

export const createPermissionGate = (deps: PermissionGateDeps): PermissionGate => {
  const requestOf = (question: Question, rule: string): PermissionRequest => ({
    id: deps.newId(),
    strand: deps.strand,
    turn: deps.turn,
    call: question.call,
    tool: question.tool,
    at: deps.nowIso(),
    title: question.title,
    command: question.command,
    edit: question.edit,
    rule,
  });
  const askPerson = async (question: Question): Promise<PermissionAnswer> => {
    const { tool, input } = question;
    const rule = ruleFor(targetOf({ tool, input, root: deps.root, cwd: deps.cwd }));
    const decision = await deps.ask(requestOf(question, rule));
    switch (decision.kind) {
      case 'allow':
        return { kind: 'allowed', by: 'user' };
      case 'always':
        return { kind: 'allowed', by: 'user', rule };
      case 'deny':
        return { kind: 'denied', by: 'user', reason: decision.reason ?? 'The user said no.' };
    }
  };
  return {
    async ask(question) {
      const { tool, input } = question;
      const verdict = decide({
        tool,
        input,
        mode: deps.mode(),
        rules: deps.rules(),
        readOnlyTool: READ_ONLY.has(tool),
        root: deps.root,
        cwd: deps.cwd,
      });
      const rule = 'rule' in verdict ? verdict.rule : undefined;
      switch (verdict.decision) {
        case 'allow':
          return { kind: 'allowed', by: verdict.by, rule };
        case 'deny':
          return { kind: 'denied', by: verdict.by, rule, reason: verdict.message };
        case 'ask':
          return deps.interactive ? askPerson(question) : { kind: 'denied', by: 'mode', reason: NOBODY };
      }
    },
  };
};
