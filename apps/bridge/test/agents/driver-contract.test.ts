import { createLoopDriver } from '../../src/agents/loop/driver.ts';
import { createScriptDriver } from '../../src/agents/script/driver.ts';
import { openFakeModelServer } from '../support/fake-model-server.ts';
import { describeDriver } from './driver-contract.ts';

describeDriver('script', async () => ({
  driver: createScriptDriver({ crash: () => undefined }),
  play: (steps) =>
    steps
      .flatMap(({ text, call, hangs }) => [
        ...(text === undefined ? [] : [`say ${text}`]),
        ...(call === undefined ? [] : [`tool ${call.name} ${JSON.stringify(call.input)}`]),
        ...(hangs === true ? ['sleep 600000'] : []),
      ])
      .join('\n'),
  close: () => Promise.resolve(),
}));

describeDriver('loop', async () => {
  const server = await openFakeModelServer();
  let calls = 0;
  return {
    driver: createLoopDriver({
      providers: async () => [
        { id: 'fake', config: { kind: 'anthropic', baseUrl: server.url }, apiKey: 'k', models: ['m'] },
      ],
      instructionsFile: '/nowhere/AGENTS.md',
      retry: { delaysMs: [], maxWaitMs: 0 },
    }),
    play(steps) {
      server.clear();
      for (const { text, call, hangs } of [...steps, { text: 'after that' }]) {
        calls += 1;
        server.reply({
          text,
          calls: call === undefined ? [] : [{ id: `toolu_${calls}`, ...call }],
          ...(hangs === true ? { hangAt: -150 } : {}),
        });
      }
      return 'go on';
    },
    close: () => server[Symbol.asyncDispose](),
  };
});
