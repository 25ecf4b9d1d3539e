// Folding a strand of 50,000 records, and opening it at its end, against JSON.parse of its lines.
import { readFileSync } from 'node:fs';
import { header, openStore } from './append.mjs';
import { median, ms, tempDir, times } from './tools.mjs';

const TURNS = 10_000;
const TEXT = 'Some words of an answer that is neither short nor long. '.repeat(6);

export const fillStrand = async (store, cwd, turns) => {
  const writer = await store.create(header(cwd));
  const note = { level: 'full', reasons: [] };
  for (let turn = 0; turn < turns; turn += 1) {
    const prompt = {
      kind: 'message',
      role: 'user',
      by: 'script',
      parts: [{ type: 'text', text: `Prompt ${turn}` }],
    };
    const [record] = await writer.append([prompt]);
    const call = `call-${turn}`;
    await writer.append([
      {
        kind: 'message',
        role: 'assistant',
        stop: 'tool',
        parts: [
          { type: 'text', text: TEXT },
          { type: 'tool_call', call, name: 'read', input: { path: 'src/app.ts' } },
        ],
      },
      {
        kind: 'message',
        role: 'tool',
        by: 'bridge',
        parts: [{ type: 'tool_result', call, status: 'ok', output: TEXT }],
      },
      {
        kind: 'message',
        role: 'assistant',
        stop: 'end',
        parts: [{ type: 'text', text: TEXT }],
        usage: { input: 1200, output: 80 },
      },
      { kind: 'turn', prompt: record.id, outcome: 'done', files: [], coverage: note },
    ]);
  }
  await writer.close();
  return writer;
};

export const replayBench = async () => {
  const { dir, remove } = tempDir();
  const filling = await openStore(dir);
  const { id, file } = await fillStrand(filling, dir, TURNS);
  await filling.close();
  const bytes = readFileSync(file);
  const megabytes = bytes.byteLength / 1e6;
  const floor = [];
  const ours = [];
  const window = [];
  for (let round = 0; round < 5; round += 1) {
    let started = performance.now();
    for (const line of readFileSync(file, 'utf8').split('\n')) if (line !== '') JSON.parse(line);
    floor.push(performance.now() - started);
    const store = await openStore(dir);
    started = performance.now();
    await store.window(id, { turns: 20, maxRecords: 3000, maxBytes: 8 * 1024 * 1024 });
    window.push(performance.now() - started);
    started = performance.now();
    const state = await store.read(id);
    ours.push(performance.now() - started);
    if (state.nodes.size !== TURNS * 5 + 1) throw new Error(`the fold has ${state.nodes.size} records`);
    await store.close();
  }
  remove();
  const speed = (took) => `${(megabytes / (took / 1000)).toFixed(0)} MB/s`;
  const records = `${TURNS * 5 + 1} records, ${megabytes.toFixed(0)} MB`;
  return [
    {
      what: `replay of ${records}`,
      ours: speed(median(ours)),
      floor: `${speed(median(floor))} JSON.parse`,
      ratio: times(median(ours), median(floor)),
    },
    {
      what: 'the same strand, opened at its end',
      ours: ms(median(window)),
      floor: `${ms(median(floor))} JSON.parse`,
      ratio: times(median(window), median(floor)),
    },
  ];
};
