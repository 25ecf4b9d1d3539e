// Checks the layer table over the whole tree: `node scripts/lint-layers.mjs`. The rules are in layer-rules.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkLayers } from './layer-rules.mjs';
import { ROOT, readSourceFiles } from './source-files.mjs';

const files = readSourceFiles();
const findings = checkLayers(files, readManifests());
for (const { file, rule, message } of findings) console.error(`${file}: ${rule}: ${message}`);
console.log(`layers: ${Object.keys(files).length} files, ${findings.length} findings`);
process.exitCode = findings.length === 0 ? 0 : 1;

function readManifests() {
  const folders = ['', 'e2e'];
  for (const parent of ['apps', 'packages']) {
    for (const name of readdirSync(path.join(ROOT, parent))) folders.push(`${parent}/${name}`);
  }
  const withManifest = folders.filter((folder) => existsSync(path.join(ROOT, folder, 'package.json')));
  return Object.fromEntries(
    withManifest.map((folder) => [
      folder,
      JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8')),
    ]),
  );
}
