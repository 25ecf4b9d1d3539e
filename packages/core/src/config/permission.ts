/** Whether a tool call may run: rules first, then the mode (DESIGN section 6). Deny beats allow. */

import { allows, denies, parseRule, type RuleTarget } from './permission-rule.ts';
import type { PermissionMode } from './personal.ts';
import { relativeTo } from './relative-path.ts';

export interface PermissionQuery {
  readonly tool: string;
  readonly input: unknown;
  readonly mode: PermissionMode;
  readonly rules: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  /** The tool changes nothing (read, grep, glob, todo). */
  readonly readOnlyTool: boolean;
  /** Workspace root and the folder that relative paths start from. Without them paths start at the root. */
  readonly root?: string | undefined;
  readonly cwd?: string | undefined;
}

export type PermissionVerdict =
  | { readonly decision: 'allow'; readonly by: 'rule'; readonly rule: string }
  | { readonly decision: 'allow'; readonly by: 'mode' }
  | { readonly decision: 'deny'; readonly by: 'rule'; readonly rule: string; readonly message: string }
  | { readonly decision: 'deny'; readonly by: 'mode'; readonly message: string }
  | { readonly decision: 'ask' };

/** Tools that change files through the write gate, so that a turn can be undone. */
const FILE_TOOLS: ReadonlySet<string> = new Set(['write', 'edit', 'multi_edit', 'delete']);

const PLAN_MESSAGE =
  'Plan mode is on: only reading is allowed. Do not try other tools; tell the user what you would change and why.';

/** Whether a tool call may run: a denial by rule wins, then the mode, then the rules that allow. */
export const decide = (query: PermissionQuery): PermissionVerdict => {
  const target = targetOf(query);
  const denied = query.rules.deny.find((rule) => denies(parseRule(rule), target));
  if (denied !== undefined) {
    const message = `The user's rule ${denied} does not allow this.`;
    return { decision: 'deny', by: 'rule', rule: denied, message };
  }
  // No allow rule opens plan mode: it was chosen so that nothing changes.
  if (query.mode === 'plan' && !query.readOnlyTool) {
    return { decision: 'deny', by: 'mode', message: PLAN_MESSAGE };
  }
  const allowed = query.rules.allow.find((rule) => allows(parseRule(rule), target));
  if (allowed !== undefined) return { decision: 'allow', by: 'rule', rule: allowed };
  return modeAllows(query, target) ? { decision: 'allow', by: 'mode' } : { decision: 'ask' };
};

/** What rules and requests say about a call: its command, or its path inside the workspace. */
export const targetOf = ({
  tool,
  input,
  root,
  cwd,
}: Omit<PermissionQuery, 'mode' | 'rules' | 'readOnlyTool'>) => {
  const path = textMember(input, 'path');
  const target: RuleTarget = {
    tool,
    command: textMember(input, 'command'),
    path: path === null ? null : relativeTo(path, { root: root ?? '/', cwd: cwd ?? root ?? '/' }),
  };
  return target;
};

function modeAllows({ mode, tool, readOnlyTool }: PermissionQuery, { path }: RuleTarget): boolean {
  if (readOnlyTool || mode === 'auto') return true;
  return mode === 'edits' && FILE_TOOLS.has(tool) && path !== null;
}

function textMember(input: unknown, name: 'command' | 'path'): string | null {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, name)) return null;
  const value = (input as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}
