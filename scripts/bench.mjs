// `npm run bench`: ours against a floor, side by side in one run, printed as a table and kept in docs/benchmarks.md.
// Names after -- choose some of them: npm run bench -- append replay
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { appendBench } from './bench/append.mjs';
import { latencyBench } from './bench/latency.mjs';
import { replayBench } from './bench/replay.mjs';
import { sessionsBench } from './bench/sessions.mjs';
import { startBench } from './bench/start.mjs';
import { ROOT } from './process-tools.mjs';

const ALL = {
  start: startBench,
  append: appendBench,
  replay: replayBench,
  latency: latencyBench,
  sessions: sessionsBench,
};
const chosen = process.argv.slice(2).filter((name) => name !== '--');
const unknown = chosen.filter((name) => !(name in ALL));
if (unknown.length > 0) {
  console.error(`bench: no bench is called ${unknown.join(', ')}; there are ${Object.keys(ALL).join(', ')}`);
  process.exit(2);
}

const rows = [];
for (const [name, bench] of Object.entries(ALL)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.error(`bench: ${name} …`);
  rows.push(...(await bench()));
}
const table = toTable(rows);
console.log(table);
if (chosen.length === 0) keep('bench', table);

/** @param {{what: string, ours: string, floor: string, ratio: string}[]} found */
function toTable(found) {
  const head = ['what', 'Skein', 'floor', 'ratio'];
  const cells = found.map(({ what, ours, floor, ratio }) => [what, ours, floor, ratio]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column].length)),
  );
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...cells.map(line)].join(
    '\n',
  );
}

/** Replaces the part of docs/benchmarks.md between the marks of that name. */
function keep(name, text) {
  const file = path.join(ROOT, 'docs', 'benchmarks.md');
  const before = readFileSync(file, 'utf8');
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB, Node ${process.versions.node}`;
  const block = `<!-- ${name} -->\n\n${new Date().toISOString().slice(0, 10)}, ${machine}.\n\n${text}\n\n<!-- /${name} -->`;
  writeFileSync(
    file,
    before.replace(new RegExp(`<!-- ${name} -->[^]*?<!-- /${name} -->`), () => block),
  );
}
