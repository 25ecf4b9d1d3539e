/**
 * How a browser gets its key: the opening link carries a one-time code in its fragment, `/pair` turns it
 * into a key of this browser. The bridge is always the origin that served the page; nothing in an address
 * or in a pasted link can name another one.
 */

export type PairingResult =
  | { readonly kind: 'paired'; readonly key: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unreachable' };

/** The code in a pasted link or a bare code; null when there is none. */
export function codeOf(pasted: string): string | null {
  const text = pasted.trim();
  const inLink = /#code=([\w-]{4,128})$/.exec(text);
  if (inLink?.[1] !== undefined) return inLink[1];
  return /^[\w-]{4,128}$/.test(text) ? text : null;
}

/** What the list of browser keys shows: browser and system, no more. */
export function labelOf(userAgent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent)?.[1] ?? 'Browser';
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1] ?? 'unknown system';
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };
  return `${names[browser] ?? browser} on ${names[system] ?? system}`;
}

export async function exchangeCode(code: string, label: string): Promise<PairingResult> {
  let response: Response;
  try {
    response = await fetch('/pair', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, label }),
      credentials: 'omit',
      cache: 'no-store',
    });
  } catch (error) {
    if (error instanceof TypeError) return { kind: 'unreachable' };
    throw error;
  }
  const body = await readBody(response);
  if (response.ok && typeof body['key'] === 'string') return { kind: 'paired', key: body['key'] };
  return { kind: 'refused', message: refusal(response.status) };
}

async function readBody(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function refusal(status: number): string {
  if (status === 429) return 'Too many codes were tried. Wait a minute, then get a new link.';
  return 'This link was used before or is older than a minute. Get a new one.';
}
