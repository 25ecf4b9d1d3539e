/** Builds the shim that lets system calls fail, and runs a child under it. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Null, with nothing done, where there is no C compiler or no Linux. */
export const buildShim = (): string | null => {
  if (process.platform !== 'linux') return null;
  const target = join(mkdtempSync(join(tmpdir(), 'skein-fault-shim-')), 'fault-shim.so');
  for (const compiler of ['cc', 'gcc', 'clang']) {
    try {
      execFileSync(
        compiler,
        ['-shared', '-fPIC', '-O1', '-o', target, join(import.meta.dirname, 'fault-shim.c'), '-ldl'],
        {
          stdio: 'pipe',
        },
      );
      return target;
    } catch {
      // The next one may be there.
    }
  }
  return null;
};

export interface Fault {
  readonly at: number;
  readonly kind: 'ENOSPC' | 'EIO' | 'SHORT';
  /** Every later call fails too. */
  readonly stays: boolean;
}

export interface FaultRun {
  readonly code: number | null;
  readonly stderr: string;
  /** How many calls there were, and the one that failed. */
  readonly calls: number;
  readonly failed: string;
}

export const runUnder = async (
  shim: string,
  child: { readonly script: string; readonly input: string; readonly below: string },
  fault: Fault | null,
): Promise<FaultRun> => {
  const report = join(mkdtempSync(join(tmpdir(), 'skein-fault-')), 'report');
  const running = spawn(process.execPath, [child.script], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: {
      ...process.env,
      NODE_NO_WARNINGS: '1',
      UV_USE_IO_URING: '0',
      LD_PRELOAD: shim,
      FAULT_BELOW: child.below,
      FAULT_AT: String(fault?.at ?? 0),
      FAULT_KIND: fault?.kind ?? 'EIO',
      FAULT_LAST: fault?.stays === true ? '1' : '0',
      FAULT_REPORT: report,
    },
  });
  let stderr = '';
  running.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  running.stdin.end(child.input);
  const code = await new Promise<number | null>((done) => running.once('close', done));
  const [calls = '0', failed = '-'] = existsSync(report) ? readFileSync(report, 'utf8').split(' ') : [];
  return { code, stderr, calls: Number(calls), failed };
};
