// A table of results: printed, and kept in docs/benchmarks.md between the marks of its name.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { ROOT } from '../process-tools.mjs';

/** @param {{what: string, ours: string, floor: string, ratio: string}[]} rows */
export function toTable(rows, head = ['what', 'Skein', 'floor', 'ratio']) {
  const cells = rows.map(({ what, ours, floor, ratio }) => [what, ours, floor, ratio]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column].length)),
  );
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...cells.map(line)].join(
    '\n',
  );
}

export function keepTable(name, table) {
  const file = path.join(ROOT, 'docs', 'benchmarks.md');
  const before = readFileSync(file, 'utf8');
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB, Node ${process.versions.node}`;
  const day = new Date().toISOString().slice(0, 10);
  const block = `<!-- ${name} -->\n\n${day}, ${machine}.\n\n${table}\n\n<!-- /${name} -->`;
  const marked = new RegExp(`<!-- ${name} -->[^]*?<!-- /${name} -->`);
  if (!marked.test(before)) throw new Error(`docs/benchmarks.md has no marks for ${name}`);
  writeFileSync(
    file,
    before.replace(marked, () => block),
  );
}
