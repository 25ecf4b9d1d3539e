/**
 * A file that only ever grows, by whole buffers. Owns the descriptor and knows where the file ended when it
 * last wrote; anything else there is somebody else's. Who may write is the caller's matter (`isOurs`).
 */
import { constants, fstatSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import { syncDir } from './files.ts';
import { ioFault } from './io-fault.ts';

export interface AppendFileOptions {
  /** Asked before every write and before anything is cut back. */
  readonly isOurs: () => boolean;
}

const APPEND = constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

/**
 * Makes a new file, 0600 whatever the umask; its directory entry is on disk. Fault `io`, also when it exists; then
 * nothing of ours stays behind.
 */
export const createAppendFile = async (path: string, options: AppendFileOptions): Promise<AppendFile> => {
  let handle: fs.FileHandle | undefined;
  try {
    handle = await fs.open(path, APPEND | constants.O_CREAT | constants.O_EXCL, 0o600);
    await handle.chmod(0o600);
    await syncDir(dirname(path));
    return new AppendFile({ path, handle, end: 0, ...options });
  } catch (error) {
    if (handle !== undefined) await takeAway(path, handle);
    throw ioFault(error, 'Creating a file', path);
  }
};

/** A file that was just made and is of no use. The fault that made it so is the one to tell. */
const takeAway = async (path: string, handle: fs.FileHandle): Promise<void> => {
  await Promise.allSettled([handle.close(), fs.rm(path, { force: true })]);
};

/** Opens a file that exists; `end` is its size now. Fault `io`. */
export const openAppendFile = async (path: string, options: AppendFileOptions): Promise<AppendFile> => {
  let handle: fs.FileHandle | undefined;
  try {
    handle = await fs.open(path, APPEND);
    return new AppendFile({ path, handle, end: fstatSync(handle.fd).size, ...options });
  } catch (error) {
    await handle?.close();
    throw ioFault(error, 'Opening a file', path);
  }
};

interface Opened extends AppendFileOptions {
  readonly path: string;
  readonly handle: fs.FileHandle;
  readonly end: number;
}

export class AppendFile {
  readonly path: string;
  readonly #handle: fs.FileHandle;
  readonly #isOurs: () => boolean;
  #end: number;
  /** Bytes of a failed write that may still be at the end of the file. */
  #failed: Uint8Array | null = null;

  constructor(opened: Opened) {
    this.path = opened.path;
    this.#handle = opened.handle;
    this.#end = opened.end;
    this.#isOurs = opened.isOurs;
  }

  /** Where the next write goes. */
  get end(): number {
    return this.#end;
  }

  /**
   * Writes the bytes as one write(2) at the end; not synced. On a short or failed write the file is cut back to where it
   * was and `io` is thrown; when even that fails, the next append tries it again first. Fault `held` when the file is
   * no longer ours or not as we left it: then nothing is touched.
   */
  async append(bytes: Uint8Array): Promise<void> {
    await this.#takeBack();
    this.#mustBeOurs();
    if (fstatSync(this.#handle.fd).size !== this.#end) throw changedByOthers(this.path);
    const failure = await this.#write(bytes);
    if (failure === null) {
      this.#end += bytes.length;
      return;
    }
    this.#failed = bytes;
    await this.#takeBack();
    throw failure;
  }

  /** fdatasync. After a fault nothing may be assumed: reopen and read again. */
  async sync(): Promise<void> {
    try {
      await this.#handle.datasync();
    } catch (error) {
      throw ioFault(error, 'Saving to disk', this.path);
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  /** Node finishes a short write by itself; a count that is still short means that the rest was refused (TRAPS V16). */
  async #write(bytes: Uint8Array): Promise<BridgeError | null> {
    try {
      const { bytesWritten } = await this.#handle.write(bytes);
      if (bytesWritten === bytes.length) return null;
    } catch (error) {
      return ioFault(error, 'Writing to a file', this.path);
    }
    return new BridgeError(
      'io',
      `The disk is probably full: only a part of a record could be written: ${this.path}`,
      {
        data: { errno: 'ENOSPC', path: this.path },
      },
    );
  }

  /** Removes what a failed write left, if the end of the file is exactly that. */
  async #takeBack(): Promise<void> {
    const failed = this.#failed;
    if (failed === null) return;
    this.#mustBeOurs();
    const extra = fstatSync(this.#handle.fd).size - this.#end;
    if (extra < 0 || extra > failed.length) throw changedByOthers(this.path);
    try {
      const tail = Buffer.alloc(extra);
      await this.#handle.read(tail, 0, extra, this.#end);
      if (!tail.equals(failed.subarray(0, extra))) throw changedByOthers(this.path);
      if (extra > 0) await this.#handle.truncate(this.#end);
    } catch (error) {
      throw ioFault(error, 'Taking back a failed write', this.path);
    }
    this.#failed = null;
  }

  #mustBeOurs(): void {
    if (this.#isOurs()) return;
    throw new BridgeError('held', `Another process took this file over: ${this.path}`, {
      data: { path: this.path },
    });
  }
}

const changedByOthers = (path: string): BridgeError =>
  new BridgeError('held', `Another program changed this file while it was open: ${path}`, { data: { path } });
