import { expect, test } from 'vitest';
import { collectOutput } from './process-group-output.ts';

const whole = Buffer.from('😀é\n'.repeat(30));

test('at every cap and chunk size no character is cut, and the count is right', () => {
  for (let cap = 0; cap < 60; cap += 1) {
    for (const size of [1, 3, 7, whole.length]) {
      const collector = collectOutput(cap);
      let streamed = '';
      for (let from = 0; from < whole.length; from += size)
        streamed += collector.add(whole.subarray(from, from + size));
      streamed += collector.flush();
      const { output, outputBytes, truncated } = collector.result();
      expect([streamed === whole.toString(), outputBytes, truncated]).toEqual([true, whole.length, true]);
      expect(output).not.toContain('\ufffd');
      const [, missing] = /\[(\d+) bytes left out\]/.exec(output) ?? [];
      const kept = Buffer.byteLength(output.replace(/\n\[\d+ bytes left out\]\n/, ''));
      expect(kept + Number(missing)).toBe(whole.length);
      expect(kept).toBeLessThanOrEqual(cap);
    }
  }
});

test('what fits is kept as it came', () => {
  const collector = collectOutput(whole.length);
  collector.add(whole.subarray(0, 5));
  collector.add(whole.subarray(5));
  expect(collector.result()).toEqual({
    output: whole.toString(),
    outputBytes: whole.length,
    truncated: false,
  });
});

test('memory stays near the cap however long the output is', () => {
  const collector = collectOutput(1000);
  const chunk = Buffer.alloc(65_536, 'x');
  for (let n = 0; n < 2000; n += 1) collector.add(chunk);
  expect(collector.result()).toMatchObject({ outputBytes: 131_072_000, truncated: true });
});
