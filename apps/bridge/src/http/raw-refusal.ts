/** Refusals where there is no response object: a failed upgrade, a request that is no HTTP. */

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Refusal, refusalBody, refuse } from './refusal.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export const refuseUpgrade = (wire: Duplex, refusal: Refusal): void => {
  const body = refusalBody(refusal);
  const headers = {
    ...SECURITY_HEADERS,
    Connection: 'close',
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? 'Refused'}\r\n`;
  wire.end(`${status}${lines.join('')}\r\n${body}`, () => wire.destroy());
};

/** Bytes that the HTTP parser does not take. */
export const refuseGarbage = (wire: Duplex): void => {
  if (wire.writable)
    refuseUpgrade(wire, refuse(400, 'invalid_input', 'This is no request that the bridge takes.'));
  else wire.destroy();
};
