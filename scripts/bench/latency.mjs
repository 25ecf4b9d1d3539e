// From a call that appends a synced record to its event at a subscriber, against a bare WebSocket server that
// writes, syncs and broadcasts.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import WebSocket, { WebSocketServer } from 'ws';
import { median, ms, p99, startBridge, tempDir, times } from './tools.mjs';

const EVENTS = 300;

export const latencyBench = async () => {
  const { dir, remove } = tempDir();
  const floor = await bareLatency(dir);
  const ours = await bridgeLatency(dir);
  remove();
  return [
    {
      what: 'append to event, median',
      ours: ms(median(ours)),
      floor: `${ms(median(floor))} bare ws`,
      ratio: times(median(ours), median(floor)),
    },
    {
      what: 'append to event, p99',
      ours: ms(p99(ours)),
      floor: `${ms(p99(floor))} bare ws`,
      ratio: times(p99(ours), p99(floor)),
    },
  ];
};

const bridgeLatency = async (dir) => {
  const bridge = await startBridge(dir);
  const { id } = await bridge.client.strands.create.mutate({ cwd: dir, agent: 'script' });
  const { cursor } = await bridge.client.strands.window.query({ strand: id, turns: 1 });
  let arrived = () => undefined;
  const ready = Promise.withResolvers();
  const feed = bridge.client.events.strand.subscribe(
    { strand: id, after: cursor },
    {
      onData: (next) => {
        const event = 'data' in next ? next.data : next;
        if (event.type === 'caught_up') ready.resolve();
        if (event.type === 'record') arrived();
      },
      onError: ready.reject,
    },
  );
  await ready.promise;
  const took = [];
  for (let index = 0; index < EVENTS; index += 1) {
    const seen = Promise.withResolvers();
    arrived = seen.resolve;
    const started = performance.now();
    const call = bridge.client.strands.name.mutate({ strand: id, name: `name-${index}` });
    await seen.promise;
    took.push(performance.now() - started);
    await call;
  }
  feed.unsubscribe();
  await bridge.stop();
  return took;
};

const bareLatency = async (dir) => {
  const file = openSync(path.join(dir, 'bare.jsonl'), 'a');
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      writeSync(file, `${data}\n`);
      fdatasyncSync(file);
      for (const reader of server.clients) reader.send(String(data));
    });
  });
  const open = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.address().port}`);
    await new Promise((resolve) => socket.once('open', resolve));
    return socket;
  };
  const [writer, reader] = [await open(), await open()];
  const took = [];
  for (let index = 0; index < EVENTS; index += 1) {
    const seen = new Promise((resolve) => reader.once('message', resolve));
    const started = performance.now();
    writer.send(JSON.stringify({ kind: 'name', name: `name-${index}` }));
    await seen;
    took.push(performance.now() - started);
  }
  for (const socket of server.clients) socket.terminate();
  server.close();
  closeSync(file);
  return took;
};
