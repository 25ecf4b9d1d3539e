/**
 * Where a command's words go: results to stdout, everything said about them to stderr, one JSON value in
 * `--json`. Takes only printable text, so nothing unsafe can reach a terminal.
 */

import type { CliEnvironment, OutputPort } from './deps.ts';
import { block, type Printable, styled } from './printable.ts';

export interface Style {
  bold(piece: Printable): Printable;
  dim(piece: Printable): Printable;
  red(piece: Printable): Printable;
  green(piece: Printable): Printable;
  yellow(piece: Printable): Printable;
  cyan(piece: Printable): Printable;
}

export interface Output {
  readonly json: boolean;
  readonly columns: number;
  /** For what goes to stdout. */
  readonly style: Style;
  /** For what goes to stderr. */
  readonly noteStyle: Style;
  /** A line of the result. Says nothing in `--json`. */
  print(piece: Printable): void;
  /** A piece of the result without a line end, as it streams. Says nothing in `--json`. */
  stream(piece: Printable): void;
  /** A line about what happens. */
  note(piece: Printable): void;
  /** The one JSON value of the command. */
  value(value: unknown): void;
  /** The content of a file: as it is into a file or a pipe; on a terminal without what could steer it. */
  bytes(content: Uint8Array): void;
  /** Raw text of ours: a shell script, a help page. */
  raw(text: string): void;
}

const DEFAULT_COLUMNS = 100;
const MIN_COLUMNS = 40;

const PLAIN: Style = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  cyan: same,
};
const COLOURED: Style = {
  bold: (piece) => styled(piece, 1, 22),
  dim: (piece) => styled(piece, 2, 22),
  red: (piece) => styled(piece, 31, 39),
  green: (piece) => styled(piece, 32, 39),
  yellow: (piece) => styled(piece, 33, 39),
  cyan: (piece) => styled(piece, 36, 39),
};

export const createOutput = (
  ports: { readonly stdout: OutputPort; readonly stderr: OutputPort },
  env: CliEnvironment,
  json: boolean,
): Output => ({
  json,
  // A terminal that does not know its width says 0.
  columns: env.columns === null || env.columns < 1 ? DEFAULT_COLUMNS : Math.max(MIN_COLUMNS, env.columns),
  style: (env.color ?? env.stdoutIsTty) ? COLOURED : PLAIN,
  noteStyle: (env.color ?? env.stderrIsTty) ? COLOURED : PLAIN,
  print: (piece) => (json ? undefined : ports.stdout.write(`${piece.text}\n`)),
  stream: (piece) => (json ? undefined : ports.stdout.write(piece.text)),
  note: (piece) => ports.stderr.write(`${piece.text}\n`),
  value: (value) => ports.stdout.write(`${safeJson(value)}\n`),
  bytes: (content) =>
    ports.stdout.write(env.stdoutIsTty ? block(Buffer.from(content).toString('utf8')).text : content),
  raw: (text) => ports.stdout.write(block(text).text),
});

/** JSON on one line, in which no terminal finds a control character: the rarer ones are escaped too. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function same(piece: Printable): Printable {
  return piece;
}
