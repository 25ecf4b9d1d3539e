/**
 * Instruction files (requirements 42): the user's own AGENTS.md, then, from the workspace root down to the
 * working directory, each folder's AGENTS.md, else its CLAUDE.md. The general comes first, the special last.
 */
import { join, relative, sep } from 'node:path';
import type { WriteGate } from './ports.ts';

export interface InstructionFile {
  /** As shown to model and user: `AGENTS.md (yours)` or a path relative to the root. */
  readonly source: string;
  readonly text: string;
}

const MAX_CHARACTERS = 64_000;
const NAMES = ['AGENTS.md', 'CLAUDE.md'];

/** Files of the repository are read through the gate: links that lead out of the workspace are not followed. */
export const readInstructions = async (from: {
  readonly personal: () => Promise<string | null>;
  readonly root: string;
  readonly cwd: string;
  readonly gate: Pick<WriteGate, 'read'>;
}): Promise<readonly InstructionFile[]> => {
  const files: InstructionFile[] = [];
  const personal = await from.personal();
  if (personal !== null && personal.trim() !== '') files.push(instruction('AGENTS.md (yours)', personal));
  for (const folder of foldersBetween(from.root, from.cwd)) {
    const found = await firstOf(folder, from);
    if (found !== null) files.push(found);
  }
  return files;
};

const firstOf = async (
  folder: string,
  from: { readonly root: string; readonly gate: Pick<WriteGate, 'read'> },
): Promise<InstructionFile | null> => {
  for (const name of NAMES) {
    const path = join(folder, name);
    const file = await from.gate.read(path);
    if (file.kind !== 'file') continue;
    const text = Buffer.from(file.bytes).toString('utf8');
    if (text.trim() !== '') return instruction(relative(from.root, path).split(sep).join('/'), text);
  }
  return null;
};

const instruction = (source: string, text: string): InstructionFile => {
  const whole = text.replace(/^\ufeff/, '').trim();
  if (whole.length <= MAX_CHARACTERS) return { source, text: whole };
  const cut = whole.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '');
  return { source, text: `${cut}\n[${whole.length - cut.length} characters more are not shown]` };
};

const foldersBetween = (root: string, cwd: string): readonly string[] => {
  const inside = relative(root, cwd);
  if (inside.startsWith('..')) return [cwd];
  const names = inside.split(sep).filter((name) => name !== '');
  return [root, ...names.map((_, index) => join(root, ...names.slice(0, index + 1)))];
};
