// Prints how large the source files are and fails on what structure-rules.mjs forbids.
import { ROOT, readSourceFiles } from './source-files.mjs';
import { checkStructure, percentile } from './structure-rules.mjs';

const files = readSourceFiles(ROOT);
const { findings, sizes, large } = checkStructure(files);
for (const { file, rule, message } of findings) console.error(`${file}: ${rule}: ${message}`);
if (large.length > 0) console.log(`structure: over 250 lines: ${large.join(', ')}`);
console.log(
  `structure: ${sizes.length} production files, lines median ${percentile(sizes, 0.5)}, ` +
    `p90 ${percentile(sizes, 0.9)}, max ${percentile(sizes, 1)}; ${findings.length} findings`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
