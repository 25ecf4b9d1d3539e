// Memory of the bridge with 20 sessions running at once, against the same bridge at rest.
import { mib, residentBytes, startBridge, tempDir, times, wait } from './tools.mjs';

const SESSIONS = 20;

export const sessionsBench = async () => {
  const { dir, remove } = tempDir();
  const bridge = await startBridge(dir);
  await wait(1500);
  const rest = residentBytes(bridge.pid);
  const ids = [];
  for (let index = 0; index < SESSIONS; index += 1) {
    ids.push((await bridge.client.strands.create.mutate({ cwd: dir, agent: 'script' })).id);
  }
  const script = (index) =>
    [...Array(20).keys()]
      .map((step) => `say Session ${index}, step ${step}.\nwrite s${index}/f${step}.txt ${step}\nsleep 150`)
      .join('\n');
  await Promise.all(
    ids.map((strand, index) =>
      bridge.client.turns.prompt.mutate({ strand, text: script(index), by: 'script' }),
    ),
  );
  const samples = [];
  for (;;) {
    await wait(200);
    const { items } = await bridge.client.strands.list.query({ limit: 100 });
    const running = items.filter(({ state }) => state === 'running').length;
    if (running === 0) break;
    if (running === SESSIONS) samples.push(residentBytes(bridge.pid));
  }
  await bridge.stop();
  remove();
  if (samples.length === 0) throw new Error('the 20 sessions never ran at once');
  const peak = Math.max(...samples);
  return [
    {
      what: `memory with ${SESSIONS} running sessions (RSS, peak)`,
      ours: mib(peak),
      floor: `${mib(rest)} at rest`,
      ratio: times(peak, rest),
    },
    { what: 'the same, for each session', ours: mib((peak - rest) / SESSIONS), floor: '-', ratio: '-' },
  ];
};
