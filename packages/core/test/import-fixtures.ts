/** Session files of other agents, anonymised or made by hand, as the tests of the readers see them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyReader, ForeignAgent } from '../src/import/reader.ts';
import { readers } from '../src/import/readers.ts';

export const IMPORTS = join(import.meta.dirname, '../fixtures/import');

export interface ImportFixture {
  /** `claude-code/v1.0-small.jsonl`. */
  readonly name: string;
  readonly agent: ForeignAgent;
  /** As the tool would have named it. */
  readonly path: string;
  readonly text: string;
}

export const importFixtures: readonly ImportFixture[] = readdirSync(IMPORTS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: agent }) =>
    readdirSync(join(IMPORTS, agent), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.jsonl?$/.test(name) && !name.endsWith('.meta.json'))
      .toSorted()
      .map((name) => ({
        name: `${agent}/${name}`,
        agent: agent as ForeignAgent,
        path: `/sessions/${agent}/rollout-${name}`.replace('rollout-', agent === 'codex' ? 'rollout-' : ''),
        text: new TextDecoder().decode(readFileSync(join(IMPORTS, agent, name))),
      })),
  );

export const mustFindReader = (agent: ForeignAgent): AnyReader => {
  const reader = readers.get(agent);
  if (reader === undefined) throw new Error(`no reader for ${agent}`);
  return reader;
};
