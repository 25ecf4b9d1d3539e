/** Window items to lines of the fold, in slices, so that a window of thousands blocks no frame. */
import type { WindowItem } from '@skein/core/protocol/strands';
import type { StrandLine } from '@skein/core/strand/replay';
import { lineOfWindowItem } from '@skein/core/strand/window-item';

const SLICE_MS = 12;

export async function decodeItems(items: readonly WindowItem[]): Promise<readonly StrandLine[]> {
  const lines: StrandLine[] = [];
  let start = performance.now();
  for (const item of items) {
    lines.push(lineOfWindowItem(item));
    if (performance.now() - start < SLICE_MS) continue;
    await nextTask();
    start = performance.now();
  }
  return lines;
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
