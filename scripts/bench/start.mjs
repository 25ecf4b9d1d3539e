// Process start to listening, and memory at rest, against a bare HTTP server of the same Node.
import {
  median,
  mib,
  ms,
  residentBytes,
  startBridge,
  stop,
  tempDir,
  times,
  untilFirstLine,
  wait,
} from './tools.mjs';

const BARE = `require('node:http').createServer((q, s) => s.end('ok')).listen(0, '127.0.0.1', () => console.log('up'))`;
const ROUNDS = 7;

export const startBench = async () => {
  const ours = [];
  const floor = [];
  let rest = 0;
  let bareRest = 0;
  const { dir, remove } = tempDir();
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await untilFirstLine(['-e', BARE], { PATH: process.env.PATH });
    floor.push(bare.tookMs);
    if (round === ROUNDS - 1) {
      await wait(1500);
      bareRest = residentBytes(bare.child.pid);
    }
    await stop(bare.child);
    const bridge = await startBridge(dir);
    ours.push(bridge.tookMs);
    if (round === ROUNDS - 1) {
      await wait(1500);
      rest = residentBytes(bridge.pid);
    }
    await bridge.stop();
  }
  remove();
  return [
    {
      what: 'start to listening, median',
      ours: ms(median(ours)),
      floor: `${ms(median(floor))} bare node http`,
      ratio: times(median(ours), median(floor)),
    },
    {
      what: 'memory at rest (RSS)',
      ours: mib(rest),
      floor: `${mib(bareRest)} bare node http`,
      ratio: times(rest, bareRest),
    },
  ];
};
