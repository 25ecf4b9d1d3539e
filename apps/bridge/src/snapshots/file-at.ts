/** A file as it was at a moment, out of the journal and its versions, else from disk. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { FileAt } from '@skein/core/protocol/restore';
import { fileAt as stateAtMoment } from '@skein/core/restore/file-at';
import type { FileState } from '@skein/core/restore/file-state';
import { readBlob } from '../platform/tree-files-blobs.ts';
import { blobsDir, parkOf, type StoreContext } from './deps.ts';
import { lookAt } from './file-states.ts';
import { readJournal } from './journal.ts';
import { partsOf } from './tree-path.ts';
import { bringFromTrees } from './tree-versions.ts';
import type { RestoreWorkspace } from './types.ts';

/** Faults: `not_found`, `unreadable` (lost, damaged, or neither file nor link), `io`. */
export const readFileAt = async (
  store: StoreContext,
  { strand, root }: RestoreWorkspace,
  asked: { readonly path: string; readonly at: string },
): Promise<FileAt> => {
  const { entries } = await readJournal(store, strand);
  const then = stateAtMoment(entries, asked.path, asked.at);
  if (then !== null) {
    await bringFromTrees(
      store,
      entries.filter((entry) => entry.kind === 'mutation' && entry.path === asked.path),
    );
    return contentOf(store, asked.path, { state: then, from: 'journal' });
  }
  const now = (await lookAt(root, partsOf(asked.path), parkOf(store))).state;
  if (now.type === 'absent')
    throw new BridgeError('not_found', `There is no ${asked.path} here, and this session never had one.`, {
      data: { path: asked.path },
    });
  return contentOf(store, asked.path, { state: now, from: 'disk' });
};

const contentOf = async (
  store: StoreContext,
  path: string,
  { state, from }: { readonly state: FileState; readonly from: FileAt['from'] },
): Promise<FileAt> => {
  switch (state.type) {
    case 'absent':
      return { path, type: 'absent', b64: '', mode: null, from };
    case 'link':
      return { path, type: 'link', b64: Buffer.from(state.target).toString('base64'), mode: null, from };
    case 'file': {
      const bytes = await readBlob(blobsDir(store), state.sha256);
      if (bytes === null)
        throw new BridgeError('unreadable', `The saved version of ${path} is lost.`, { data: { path } });
      return { path, type: 'file', b64: Buffer.from(bytes).toString('base64'), mode: state.mode, from };
    }
    case 'dir':
    case 'other':
      throw new BridgeError('unreadable', `${path} was neither a file nor a link then.`, { data: { path } });
  }
};
