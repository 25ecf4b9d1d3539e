/** Pins every schema that travels or is stored to a version number, so that none changes by accident. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import * as personal from '../config/personal.ts';
import * as ids from '../record/ids.ts';
import * as parts from '../record/parts.ts';
import * as pathRef from '../record/path-ref.ts';
import * as records from '../record/schema.ts';
import { STRAND_FORMAT_VERSION } from '../record/schema.ts';
import * as fileState from '../restore/file-state.ts';
import * as journal from '../restore/journal-entry.ts';
import * as agentEvent from '../turn/agent-event.ts';
import * as agents from './agents.ts';
import * as errors from './errors.ts';
import * as events from './events.ts';
import * as history from './history.ts';
import * as past from './past.ts';
import * as restore from './restore.ts';
import * as search from './search.ts';
import * as store from './store.ts';
import * as strands from './strands.ts';
import * as turns from './turns.ts';
import { PROTOCOL_VERSION } from './version.ts';

const PINNED = {
  protocol: { version: 1, hash: '9b72e5bdafff5508' },
  strand: { version: 1, hash: 'ee3d55481f2e7591' },
};

const PROTOCOL = {
  agents,
  errors,
  events,
  history,
  past,
  restore,
  search,
  store,
  strands,
  turns,
  personal,
  agentEvent,
};
const STRAND = { ids, parts, pathRef, records, fileState, journal };

/** One line per schema, so that a failure can be traced with `git stash` and a diff. */
const hashOf = (modules: Readonly<Record<string, object>>): string => {
  const lines = Object.entries(modules).flatMap(([module, exports]) =>
    Object.entries(exports)
      .filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType)
      .map(
        ([name, schema]) => `${module}.${name} ${JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))}`,
      ),
  );
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex').slice(0, 16);
};

test('a change of the API schemas needs a new PROTOCOL_VERSION', () => {
  expect(
    { version: PROTOCOL_VERSION, hash: hashOf(PROTOCOL) },
    'The API schemas changed. If a released page or CLI could meet this bridge, raise PROTOCOL_VERSION in version.ts and ' +
      'say there in one line what changed. Then put the new version and hash into PINNED.protocol.',
  ).toEqual(PINNED.protocol);
});

test('a change of the record or journal schemas needs a new STRAND_FORMAT_VERSION', () => {
  expect(
    { version: STRAND_FORMAT_VERSION, hash: hashOf(STRAND) },
    'The stored schemas changed. Adding an optional member or a kind is compatible: add a golden strand that uses it under ' +
      'packages/core/fixtures/strands and update the hash in PINNED.strand. Anything else breaks old files: raise ' +
      'STRAND_FORMAT_VERSION, keep reading the old version, and add a folder of golden strands for the new one.',
  ).toEqual(PINNED.strand);
});
