/**
 * Permission rules: `tool`, or `tool(pattern)`. A shell pattern is a whole command, or a beginning when it
 * ends with `*` (`bash(npm test*)`); a file pattern is a glob on the path from the workspace root.
 *
 * An allow rule reads a command narrowly: `npm test*` must not let `npm test; rm -rf ~` through. A deny rule
 * reads it widely. Neither is a sandbox: they save questions, they do not contain a hostile program.
 */
import { escapeGlob, matchesGlob } from './glob.ts';

export interface PermissionRule {
  readonly tool: string;
  readonly pattern: string | null;
}

/** What a rule is held against. */
export interface RuleTarget {
  readonly tool: string;
  readonly command: string | null;
  /** From the workspace root, `/`-separated; null when the call has no path, or one outside the root. */
  readonly path: string | null;
}

const SHELL_SYNTAX = /[;&|`<>\n\r]|\$\(/;

/** `tool` or `tool(pattern)`. A text that is neither fits nothing. */
export const parseRule = (text: string): PermissionRule => {
  const open = text.indexOf('(');
  if (open < 1 || !text.endsWith(')')) return { tool: text.trim(), pattern: null };
  return { tool: text.slice(0, open).trim(), pattern: text.slice(open + 1, -1) };
};

/** Narrowly: only what the rule surely means. */
export const allows = (rule: PermissionRule, target: RuleTarget): boolean => {
  if (rule.tool !== target.tool) return false;
  if (rule.pattern === null) return true;
  if (target.command !== null) return allowsCommand(rule.pattern, target.command.trim());
  return target.path !== null && matchesGlob(rule.pattern, target.path);
};

/** Widely: a command is also denied for any of the commands it is put together from. */
export const denies = (rule: PermissionRule, target: RuleTarget): boolean => {
  if (rule.tool !== target.tool) return false;
  if (rule.pattern === null) return true;
  const { pattern } = rule;
  if (target.command === null) return target.path !== null && matchesGlob(pattern, target.path);
  const commands = [target.command, ...target.command.split(/[;&|`<>\n\r(){}]|\$\(/)];
  return commands.some((command) => matchesCommand(pattern, command.trim()));
};

/** The rule that "always" saves: this very command or file, never more. */
export const ruleFor = ({ tool, command, path }: RuleTarget): string => {
  if (command !== null) return `${tool}(${command.trim().replace(/\*$/, '\\*')})`;
  return path === null ? tool : `${tool}(${escapeGlob(path)})`;
};

function allowsCommand(pattern: string, command: string): boolean {
  if (SHELL_SYNTAX.test(command)) return exactCommand(pattern) === command;
  return matchesCommand(pattern, command);
}

function matchesCommand(pattern: string, command: string): boolean {
  const exact = exactCommand(pattern);
  return exact === null ? command.startsWith(pattern.slice(0, -1).trimStart()) : command === exact;
}

/** The one command a pattern stands for, or null when it is a beginning. `\*` at the end is a real star. */
function exactCommand(pattern: string): string | null {
  if (pattern.endsWith('\\*')) return `${pattern.slice(0, -2)}*`.trim();
  return pattern.endsWith('*') ? null : pattern.trim();
}
