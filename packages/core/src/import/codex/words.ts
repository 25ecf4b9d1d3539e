/** What a text of Codex's user role is: not every one is a prompt (FORMATS, Codex). */
const INJECTED = [
  '# AGENTS.md instructions',
  '<environment_context>',
  '<user_instructions>',
  '<INSTRUCTIONS>',
] as const;

/** Put there by the program: rules of the folder, the environment, notices in tags. */
export const isInjected = (text: string): boolean => {
  const start = text.trim();
  if (INJECTED.some((mark) => start.startsWith(mark))) return true;
  const tag = /^<([A-Za-z_]{3,40})[ >]/.exec(start.slice(0, 50))?.[1];
  return tag !== undefined && start.endsWith(`</${tag}>`);
};

export interface ToolOutput {
  readonly text: string;
  readonly exitCode: number | null;
}

/** The exit code stands in the first lines of an output, in one of the ways Codex wrote it so far. */
export const exitCodeIn = (text: string): number | null => {
  const found = /^(?:Exit code:|Process exited with code) (-?\d{1,10})/m.exec(text.slice(0, 400))?.[1];
  return found === undefined ? null : Number(found);
};
