/** A write gate for tests of agents: confinement and `expect`, but no journal. The real one is in src/snapshots. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { FileState } from '@skein/core/restore/file-state';
import type { GateRefusal, GateResult, WriteGate } from '../../src/agents/ports.ts';

export interface PlainGate extends WriteGate {
  readonly log: string[];
  /** The next write is refused as if its pre-image could not be parked. */
  failNext(): void;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const openPlainGate = (cwd: string): PlainGate => {
  const log: string[] = [];
  let failing = false;
  const stateOf = (path: string): FileState => {
    if (!existsSync(path)) return { type: 'absent' };
    const bytes = readFileSync(path);
    return { type: 'file', sha256: sha256(bytes) as never, bytes: bytes.length, mode: 0o644 };
  };
  const check = (
    path: string,
  ): { readonly kind: 'refused'; readonly reason: GateRefusal; readonly message: string } | null => {
    if (!resolve(cwd, path).startsWith(`${cwd}/`))
      return refuse('outside_root', `${path} is outside the workspace.`);
    if (/(^|\/)\.git(\/|$)/.test(path)) return refuse('protected', `${path} is protected.`);
    return null;
  };
  const write = (
    path: string,
    expect: string | null | undefined,
    act: (full: string) => void,
  ): GateResult => {
    const refusal = check(path);
    if (refusal !== null) return refusal;
    if (failing) {
      failing = false;
      return refuse('park_failed', `${path} could not be saved first, so nothing was written.`);
    }
    const full = resolve(cwd, path);
    const pre = stateOf(full);
    const now = pre.type === 'file' ? pre.sha256 : null;
    if (expect !== undefined && expect !== now)
      return refuse('changed_since_read', `${path} changed since it was read.`);
    act(full);
    return { kind: 'written', path: full, pre, post: stateOf(full) };
  };
  return {
    log,
    failNext: () => {
      failing = true;
    },
    async read(path) {
      const refusal = check(path);
      if (refusal !== null) return refusal;
      const full = resolve(cwd, path);
      if (!existsSync(full)) return refuse('not_found', `There is no ${path}.`);
      if (!lstatSync(full).isFile()) return refuse('not_regular', `${path} is no regular file.`);
      const bytes = readFileSync(full);
      return { kind: 'file', path: full, bytes, sha256: sha256(bytes) };
    },
    async write({ path, bytes, expect, call }) {
      log.push(`write ${call} ${path}`);
      return write(path, expect, (full) => {
        mkdirSync(dirname(full), { recursive: true });
        writeFileSync(full, bytes);
      });
    },
    async remove({ path, expect, call }) {
      log.push(`remove ${call} ${path}`);
      return write(path, expect, (full) => rmSync(full));
    },
    async checkpoint({ paths }) {
      log.push(`checkpoint ${paths.join(',')}`);
      const refusal = paths.map(check).find((found) => found !== null);
      if (refusal !== undefined && refusal !== null) return refusal;
      return {
        kind: 'parked',
        settle: async () => {
          log.push(`settle ${paths.join(',')}`);
        },
      };
    },
    async beforeUngated(call) {
      log.push(`ungated ${call}`);
    },
  };
};

const refuse = (reason: GateRefusal, message: string) => ({ kind: 'refused', reason, message }) as const;
