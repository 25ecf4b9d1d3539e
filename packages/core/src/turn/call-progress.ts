/** Tool calls between their first delta and their result: what a page that joins must be able to draw. */

export interface CallProgress {
  readonly call: string;
  readonly name: string;
  /** JSON text, as far as it has come. */
  readonly input: string;
  /** The newest part of the output. */
  readonly output: string;
  readonly started: boolean;
  /** The message with the call is appended: it needs a result. */
  readonly recorded: boolean;
}

type Calls = readonly CallProgress[];

/** Live output is a view; the whole of it comes with the result. */
const MAX_LIVE_CHARS = 64 * 1024;

export const findCall = (calls: Calls, call: string): CallProgress | null =>
  calls.find((progress) => progress.call === call) ?? null;

export const noteInput = (
  calls: Calls,
  { call, name, delta }: { readonly call: string; readonly name: string; readonly delta: string },
): Calls =>
  findCall(calls, call) === null
    ? [...calls, { call, name, input: delta, output: '', started: false, recorded: false }]
    : update(calls, call, (progress) => ({ ...progress, input: progress.input + delta }));

export const noteStarted = (calls: Calls, call: string): Calls =>
  update(calls, call, (progress) => ({ ...progress, started: true }));

export const noteOutput = (
  calls: Calls,
  { call, text }: { readonly call: string; readonly text: string },
): Calls =>
  update(calls, call, (progress) => ({ ...progress, started: true, output: newest(progress.output + text) }));

/** The message with these calls is appended. Inputs that never became a call are forgotten with their step. */
export const noteRecorded = (calls: Calls, called: readonly string[]): Calls =>
  calls
    .map((progress) => (called.includes(progress.call) ? { ...progress, recorded: true } : progress))
    .filter(({ recorded }) => recorded);

export const dropCall = (calls: Calls, call: string): Calls =>
  calls.filter((progress) => progress.call !== call);

function update(calls: Calls, call: string, change: (progress: CallProgress) => CallProgress): Calls {
  return calls.map((progress) => (progress.call === call ? change(progress) : progress));
}

/** Cut only at twice the limit, so that a long output does not pay for a copy at every delta. */
function newest(text: string): string {
  return text.length <= 2 * MAX_LIVE_CHARS ? text : text.slice(-MAX_LIVE_CHARS).toWellFormed();
}
