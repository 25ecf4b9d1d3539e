// `npm run bench`: ours against a floor, side by side in one run, printed as a table and kept in docs/benchmarks.md.
// Names after -- choose some of them: npm run bench -- append replay
import { appendBench } from './bench/append.mjs';
import { latencyBench } from './bench/latency.mjs';
import { replayBench } from './bench/replay.mjs';
import { sessionsBench } from './bench/sessions.mjs';
import { startBench } from './bench/start.mjs';
import { storeBench } from './bench/store.mjs';
import { keepTable, toTable } from './bench/table.mjs';
import { treesBench } from './bench/trees.mjs';
import { undoBench } from './bench/undo.mjs';

const ALL = {
  start: startBench,
  append: appendBench,
  replay: replayBench,
  latency: latencyBench,
  sessions: sessionsBench,
  trees: treesBench,
  undo: undoBench,
  store: storeBench,
};
const chosen = process.argv.slice(2).filter((name) => name !== '--');
const unknown = chosen.filter((name) => !(name in ALL));
if (unknown.length > 0) {
  console.error(`bench: no bench is called ${unknown.join(', ')}; there are ${Object.keys(ALL).join(', ')}`);
  process.exit(2);
}

for (const [name, bench] of Object.entries(ALL)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.error(`bench: ${name} …`);
  const table = toTable(await bench());
  console.log(`${table}\n`);
  keepTable(`bench:${name}`, table);
}
