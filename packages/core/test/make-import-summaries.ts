/** `node packages/core/test/make-import-summaries.ts`: writes what the readers say of each fixture. Look at the difference. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWhole, summaryOf } from '../src/testing/read-import.ts';
import { IMPORTS, importFixtures, mustFindReader } from './import-fixtures.ts';

const summaries = Object.fromEntries(
  importFixtures.map((file) => [file.name, summaryOf(readWhole(mustFindReader(file.agent), file))]),
);
writeFileSync(join(IMPORTS, 'summaries.json'), `${JSON.stringify(summaries, null, 1)}\n`);
