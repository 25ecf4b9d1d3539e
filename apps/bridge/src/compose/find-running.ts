/** Finds the bridge of a data directory and makes it prove that it is the one, before any token is sent to it. */
import { z } from 'zod';
import type { RunningBridge } from '../cli/deps.ts';
import { isAlive, type ProcessIdentity } from '../platform/host.ts';
import { newSecret } from '../platform/ids.ts';
import { findBridge } from '../settings/runtime.ts';
import { proofOf, sameSecret } from '../settings/secrets.ts';

const ANSWER_DEADLINE_MS = 3000;
const proofSchema = z.object({ proof: z.string() });

/** Null when none runs. A stale file, a dead process or a stranger on the port count as none. */
export const findRunning = async (
  dataDir: string,
  identity: ProcessIdentity,
): Promise<RunningBridge | null> => {
  const found = await findBridge(dataDir, identity.host);
  if (found === null || !isAlive(found.bridge.pid, null)) return null;
  const { url, pid, version, protocol } = found.bridge;
  const nonce = newSecret();
  const proof = await askForProof(url, nonce);
  const port = Number(new URL(url).port);
  if (proof === null || !sameSecret(proof, proofOf(found.token, { port, nonce }))) return null;
  return { url, token: found.token, pid, version, protocol };
};

const askForProof = async (url: string, nonce: string): Promise<string | null> => {
  try {
    const response = await fetch(`${url}/prove`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ nonce }),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_DEADLINE_MS),
    });
    const parsed = proofSchema.safeParse(await response.json());
    return parsed.success ? parsed.data.proof : null;
  } catch {
    // Nothing listens there, or something that does not speak our language: no bridge of ours.
    return null;
  }
};
