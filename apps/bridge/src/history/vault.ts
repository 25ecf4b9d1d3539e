/**
 * Raw copies of other tools' session files, kept as those grow. A file that was rewritten gets a new version, the old
 * one stays. Nothing is ever taken out here, and nothing is written outside the vault but by `restore`.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ForeignAgent } from '@skein/core/import/reader';
import { isBridgeError } from '@skein/core/protocol/errors';
import { foreignAgentSchema } from '@skein/core/record/foreign-agent';
import { z } from 'zod';
import { listDir, makePrivateDir, removeFile, statIfThere, writeFileAtomic } from '../platform/files.ts';
import { type ForeignFile, openForeign } from '../platform/foreign-file.ts';
import { readProcessIdentity } from '../platform/host.ts';
import { readJsonIfThere } from '../platform/json-files.ts';
import { takeLockSoon } from '../platform/lock.ts';
import { writeNewFile } from '../platform/new-file.ts';
import {
  appendKept,
  type Chain,
  rawBytesOf,
  readChain,
  readKept,
  startsWithKept,
  storedBytesOf,
} from './vault-chain.ts';

export interface KeptFile {
  /** Names the copy, and the state it is in: another one after each growth. */
  readonly key: string;
  readonly agent: ForeignAgent;
  /** Where the tool has or had it. */
  readonly path: string;
  /** Folder of the newest version; `chain` null: it is damaged. */
  readonly dir: string;
  readonly chain: Chain | null;
  /** Of all versions. */
  readonly storedBytes: number;
}

export interface Vault {
  /** Keeps what the file has now. Durable when it resolves. Nothing happens when it is gone. Faults: `unreadable`, `io`. */
  keep(file: { readonly path: string; readonly agent: ForeignAgent }): Promise<void>;
  list(): Promise<readonly KeptFile[]>;
  /** Writes the newest version to a place where nothing is. Faults: `conflict`, `unreadable`, `io`. */
  restore(kept: KeptFile, to: string): Promise<number>;
  /** A plain copy of the newest version, for reading. Faults: `unreadable`, `io`. */
  unpacked(kept: KeptFile): Promise<string>;
}

const LOCK_WAIT_MS = 10_000;

const metaSchema = z.object({ v: z.literal(1), agent: foreignAgentSchema, path: z.string() });

export const openVault = (deps: { readonly dir: string; readonly scratch: string }): Vault => {
  const folderOf = (agent: string, path: string): string =>
    join(deps.dir, agent, createHash('sha256').update(path).digest('hex').slice(0, 24));
  return {
    async keep({ path, agent }) {
      const file = await openForeign(path);
      if (file === null) return;
      try {
        await keepFile(folderOf(agent, path), file, { path, agent });
      } finally {
        await file.close();
      }
    },
    async list() {
      const agents = (await listDir(deps.dir)).flatMap(({ kind, name }) =>
        kind === 'dir' && name !== null ? [name] : [],
      );
      const found: KeptFile[] = [];
      for (const agent of agents) found.push(...(await keptBelow(join(deps.dir, agent))));
      return found;
    },
    restore: (kept, to) => writeNewFile(to, readKept(kept.dir, kept.chain ?? broken())),
    async unpacked(kept) {
      const place = join(deps.scratch, kept.key);
      const wanted = rawBytesOf(kept.chain ?? broken());
      const stat = await statIfThere(place);
      if (stat !== null && Number(stat.size) === wanted) return place;
      await makePrivateDir(deps.scratch);
      await removeFile(place);
      await writeNewFile(place, readKept(kept.dir, kept.chain ?? broken()));
      return place;
    },
  };
};

const keepFile = async (
  folder: string,
  file: ForeignFile,
  meta: { readonly path: string; readonly agent: ForeignAgent },
): Promise<void> => {
  if (await isKept(folder, file)) return;
  await makePrivateDir(folder);
  // Two processes that add to one chain would each write the same segment.
  const outcome = await takeLockSoon(join(folder, 'keep.lock'), {
    process: readProcessIdentity(),
    purpose: 'keeping a copy of a session',
    waitMs: LOCK_WAIT_MS,
  });
  // Whoever holds it keeps the same file.
  if (outcome.kind === 'held') return;
  try {
    const { newest, chain } = await newestOf(folder);
    const goesOn = chain !== null && (await startsWithKept(file, chain));
    if (newest === 0) await writeFileAtomic(join(folder, 'meta.json'), JSON.stringify({ v: 1, ...meta }));
    await appendKept(join(folder, String(goesOn ? newest : newest + 1)), file, goesOn ? chain : null);
  } finally {
    outcome.lock.release();
  }
};

const newestOf = async (
  folder: string,
): Promise<{ readonly newest: number; readonly chain: Chain | null }> => {
  const newest = (await versionsOf(folder)).at(-1) ?? 0;
  return { newest, chain: newest === 0 ? null : await chainOrNull(join(folder, String(newest))) };
};

const isKept = async (folder: string, file: ForeignFile): Promise<boolean> => {
  const { chain } = await newestOf(folder);
  return chain !== null && rawBytesOf(chain) === file.size && (await startsWithKept(file, chain));
};

const keptBelow = async (dir: string): Promise<readonly KeptFile[]> => {
  const found: KeptFile[] = [];
  for (const { kind, name } of await listDir(dir)) {
    const kept = kind === 'dir' && name !== null ? await keptIn(join(dir, name)) : null;
    if (kept !== null) found.push(kept);
  }
  return found;
};

const broken = (): Chain => ({
  v: 1,
  head: '',
  tail: '',
  segments: [{ bytes: 1, stored: 0, sha: '', chain: '' }],
});

const versionsOf = async (folder: string): Promise<readonly number[]> =>
  (await listDir(folder))
    .flatMap(({ kind, name }) => (kind === 'dir' && /^[1-9]\d*$/.test(name ?? '') ? [Number(name)] : []))
    .toSorted((a, b) => a - b);

const keptIn = async (folder: string): Promise<KeptFile | null> => {
  const meta = metaSchema.safeParse(await readJsonIfThere(join(folder, 'meta.json')));
  const versions = await versionsOf(folder);
  const newest = versions.at(-1);
  if (!meta.success || newest === undefined) return null;
  const chains = await Promise.all(versions.map((version) => chainOrNull(join(folder, String(version)))));
  const chain = chains.at(-1) ?? null;
  const { agent, path } = meta.data;
  const mark = chain?.segments.at(-1)?.chain ?? 'empty';
  return {
    key: createHash('sha256').update(`${folder}\n${newest}\n${mark}`).digest('hex').slice(0, 24),
    agent,
    path,
    dir: join(folder, String(newest)),
    chain,
    storedBytes: chains.reduce((total, one) => total + (one === null ? 0 : storedBytesOf(one)), 0),
  };
};

const chainOrNull = async (dir: string): Promise<Chain | null> => {
  try {
    return await readChain(dir);
  } catch (error) {
    if (isBridgeError(error) && error.code === 'unreadable') return null;
    throw error;
  }
};
