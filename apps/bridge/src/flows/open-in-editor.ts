/** Opens a file of a session's workspace in the user's editor: an argument array, never a shell (DESIGN 9). */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandId } from '@skein/core/record/ids';
import type { StrandState } from '@skein/core/strand/replay';

export interface OpenInEditorDeps {
  readonly state: (strand: StrandId) => Promise<StrandState>;
  /** The configured command, else one found on PATH; null when there is none. */
  readonly editor: () => Promise<readonly string[] | null>;
  /** Absolute real path when the file lies inside the root, else null. */
  readonly inside: (root: string, path: string) => Promise<string | null>;
  readonly launch: (command: readonly string[], cwd: string) => Promise<void>;
}

/** Faults: `not_found` (no such file in the workspace), `missing_program`. */
export const createOpenInEditor =
  (deps: OpenInEditorDeps) =>
  async (input: {
    readonly strand: StrandId;
    readonly path: string;
    readonly line?: number | undefined;
  }): Promise<{ opened: boolean; command: string }> => {
    const { header } = await deps.state(input.strand);
    if (header === null) throw new BridgeError('unreadable', 'This session has no readable header.');
    const root = header.repo?.root ?? header.cwd;
    const path = await deps.inside(root, input.path);
    if (path === null)
      throw new BridgeError('not_found', `${input.path} is not a file of this workspace.`, {
        data: { path: input.path },
      });
    const editor = await deps.editor();
    if (editor === null)
      throw new BridgeError('missing_program', 'No editor is set; choose one in the settings.', {
        data: { program: 'editor' },
      });
    const command = fill(editor, path, input.line ?? 1);
    await deps.launch(command, root);
    return { opened: true, command: command[0] ?? '' };
  };

/** `{path}`, `{line}`, `{column}` are replaced; without `{path}` the path is the last argument. */
const fill = (editor: readonly string[], path: string, line: number): readonly string[] => {
  const [program = '', ...args] = editor;
  const filled = args.map((arg) =>
    arg
      .replaceAll('{line}', String(line))
      .replaceAll('{column}', '1')
      .replaceAll('{path}', () => path),
  );
  return args.some((arg) => arg.includes('{path}')) ? [program, ...filled] : [program, ...filled, path];
};
