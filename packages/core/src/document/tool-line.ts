/**
 * A tool call as one line: a verb and a target. Works for our own tools and for those of the agents whose
 * sessions are imported (`Read`, `Bash`, `mcp__server__tool`, …); what is not known keeps its own name.
 */
import { oneLine, truncate } from '../text/truncate.ts';
import { visibleMarks } from '../text/visible-marks.ts';
import type { ToolEdit } from './blocks.ts';

const TARGET_LENGTH = 400;

/** A map, not an object: a tool may call itself `constructor`. */
const VERBS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    read: 'read',
    view: 'read',
    read_file: 'read',
    notebookread: 'read',
    write: 'write',
    write_file: 'write',
    create: 'write',
    edit: 'edit',
    edit_file: 'edit',
    str_replace: 'edit',
    replace: 'edit',
    notebookedit: 'edit',
    multi_edit: 'edit',
    multiedit: 'edit',
    apply_patch: 'patch',
    delete: 'delete',
    bash: 'run',
    shell: 'run',
    execute: 'run',
    exec_command: 'run',
    run_shell_command: 'run',
    grep: 'search',
    search: 'search',
    search_file_content: 'search',
    glob: 'find',
    find: 'find',
    ls: 'list',
    list: 'list',
    todo: 'plan',
    todowrite: 'plan',
    todo_write: 'plan',
    task: 'task',
    agent: 'task',
    webfetch: 'fetch',
    fetch: 'fetch',
    websearch: 'search web',
    think: 'think',
  }),
);

const TARGET_KEYS = [
  'command',
  'cmd',
  'path',
  'file_path',
  'filePath',
  'filename',
  'notebook_path',
  'pattern',
  'query',
  'url',
  'description',
  'prompt',
  'title',
] as const;

export interface ToolLine {
  readonly verb: string;
  readonly target: string;
}

/** A tool call as one line: verb and target, from its name and input. */
export const toolLine = (name: string, input: unknown): ToolLine => {
  const verb = verbOf(name);
  return {
    verb,
    target: truncate(visibleMarks(oneLine(targetOf(verb, input).slice(0, 4 * TARGET_LENGTH))), TARGET_LENGTH),
  };
};

/** The same from JSON text that is still streaming. */
export const liveToolLine = (name: string, json: string): ToolLine => {
  const verb = verbOf(name);
  const match =
    /"(?:command|cmd|path|file_path|filePath|pattern|query|url)"\s*:\s*"((?:[^"\\]|\\.){1,400})/.exec(
      json.slice(0, 4000),
    );
  return { verb, target: match?.[1] === undefined ? '' : visibleMarks(oneLine(unescapeJson(match[1]))) };
};

export const isRead = (verb: string): boolean => verb === 'read';

/** What the call writes, when its input tells. */
export const toolEdit = (name: string, input: unknown): ToolEdit | null => {
  const fields = fieldsOf(input);
  const path = firstText(fields, ['path', 'file_path', 'filePath']);
  if (path === null) return null;
  const verb = VERBS.get(name.toLowerCase());
  if (verb === 'write') {
    const after = firstText(fields, ['content', 'text', 'file_text']);
    return after === null ? null : { path, changes: [{ before: null, after }] };
  }
  if (verb !== 'edit') return null;
  const edits = Array.isArray(fields['edits']) ? fields['edits'] : [fields];
  const changes = edits.flatMap((edit) => changeOf(fieldsOf(edit)));
  return changes.length === 0 ? null : { path, changes };
};

function verbOf(name: string): string {
  return VERBS.get(name.toLowerCase()) ?? foreignName(name);
}

function changeOf(fields: Fields): ToolEdit['changes'] {
  const before = firstText(fields, ['old', 'old_string', 'oldString', 'old_str', 'old_text', 'oldText']);
  const after = firstText(fields, ['new', 'new_string', 'newString', 'new_str', 'new_text', 'newText']);
  return before === null || after === null ? [] : [{ before, after }];
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(input: unknown): Fields {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Fields) : {};
}

function firstText(fields: Fields, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (typeof value === 'string') return value;
  }
  return null;
}

function targetOf(verb: string, input: unknown): string {
  if (typeof input === 'string') return input;
  const fields = fieldsOf(input);
  if (verb === 'plan') return planTarget(fields);
  if (Array.isArray(fields['command'])) return fields['command'].map(String).join(' ');
  const main = firstText(fields, TARGET_KEYS);
  if (main === null)
    return Object.keys(fields).length === 0 ? '' : JSON.stringify(input).slice(0, TARGET_LENGTH);
  if (verb !== 'search' && verb !== 'find') return main;
  const pattern = firstText(fields, ['pattern', 'query']) ?? main;
  const where = firstText(fields, ['path', 'glob']);
  return where === null || where === pattern ? pattern : `${pattern} in ${where}`;
}

function planTarget(fields: Fields): string {
  const list = ['todos', 'items', 'plan'].map((key) => fields[key]).find(Array.isArray);
  if (list === undefined) return '';
  const done = list.filter(
    (item) => fieldsOf(item)['status'] === 'completed' || fieldsOf(item)['done'] === true,
  );
  return `${done.length} of ${list.length} done`;
}

/** `mcp__github__create_issue` reads as `github create_issue`. */
function foreignName(name: string): string {
  const mcp = /^mcp__(.+?)__(.+)$/.exec(name);
  return oneLine(mcp === null ? name : `${mcp[1]} ${mcp[2]}`).slice(0, 80);
}

function unescapeJson(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, code: string) => {
    if (code.startsWith('u') && code.length === 5)
      return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[nrtbf]/.test(code) ? ' ' : code;
  });
}
