// Size limits and forbidden words of docs/architecture.md as code. Pure: text in, findings out.
import { parseSync } from 'oxc-parser';
import { isTestFile } from './source-files.mjs';

const MAX_LINES = { production: 400, test: 500 };

/** Patterns are searched in code with its comments blanked out. `where` narrows the files. */
const FORBIDDEN = [
  {
    rule: 'no-module-mocks',
    pattern: /\bvi\s*\.\s*(mock|doMock|stubGlobal)\b/,
    hint: 'pass the dependency in',
  },
  { rule: 'no-only', pattern: /\b(test|it|describe)(\.\w+)*\.only\b/, hint: 'remove .only' },
  {
    rule: 'no-any',
    pattern: /(:\s*any\b(?!['":])|\bas\s+any\b|<any>)/,
    hint: 'use unknown and a schema',
    blankStrings: true,
  },
  {
    rule: 'no-direct-clock',
    pattern: /\b(Date\.now\(|new Date\(\)|Math\.random\(|randomUUID\()/,
    hint: 'take clock and ids as a dependency',
    where: (file) =>
      !isTestFile(file) && /^(packages\/core|apps\/bridge)\/src\/(?!platform\/|main\.ts)/.test(file),
  },
];

const IN_ALL_TEXT = [
  {
    rule: 'no-ts-ignore',
    pattern: /@ts-(ignore|nocheck)\b/,
    hint: 'fix the type, or @ts-expect-error with a reason',
  },
  { rule: 'no-machine-path', pattern: /(?<![\w.-])\/work\//, hint: 'a path of one machine' },
];

const IN_PRODUCTION_TEXT = [
  { rule: 'no-machine-path', pattern: /(?<![\w.-])\/(home|Users)\/\w+\//, hint: 'a path of one machine' },
];

/**
 * @param {Record<string, string>} files source text by path
 * @returns {{ findings: { file: string, rule: string, message: string }[], sizes: number[], large: string[] }}
 */
export function checkStructure(files) {
  const findings = [];
  const sizes = [];
  const large = [];
  for (const [file, text] of Object.entries(files)) {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    const excused = /^\s*(\/\/|\*|\/\*\*?)\s*size: \S/m.test(text);
    const limit = isTestFile(file) ? MAX_LINES.test : MAX_LINES.production;
    if (lines > limit && !excused) {
      const message = `${lines} lines, limit ${limit}; split it, or say why in a line starting "// size: "`;
      findings.push({ file, rule: 'max-lines', message });
    }
    if (!isTestFile(file)) {
      sizes.push(lines);
      if (lines > 250) large.push(`${file} (${lines})`);
    }
    findings.push(...forbiddenWords(file, text));
  }
  return { findings, sizes, large };
}

/** Nearest-rank percentile; 0 for an empty list. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function forbiddenWords(file, text) {
  const findings = [];
  const code = blankComments(file, text);
  for (const { pattern, where, blankStrings, ...rest } of FORBIDDEN) {
    if (where && !where(file)) continue;
    report(pattern, blankStrings ? code.replace(/(['"])(?:\\.|(?!\1)[^\\\n])*\1/g, blank) : code, rest);
  }
  for (const { pattern, ...rest } of IN_ALL_TEXT) report(pattern, text, rest);
  if (!isTestFile(file)) for (const { pattern, ...rest } of IN_PRODUCTION_TEXT) report(pattern, text, rest);
  return findings;

  function report(pattern, searched, { rule, hint }) {
    const match = pattern.exec(searched);
    if (!match) return;
    const line = searched.slice(0, match.index).split('\n').length;
    findings.push({ file: `${file}:${line}`, rule, message: `"${match[0].trim()}": ${hint}` });
  }
}

/** Replaces comments by blanks, so that line numbers stay and prose is not read as code. */
function blankComments(file, text) {
  const { comments } = parseSync(file, text);
  let result = text;
  for (const { start, end } of comments) {
    result = result.slice(0, start) + blank(result.slice(start, end)) + result.slice(end);
  }
  return result;
}

function blank(text) {
  return text.replace(/[^\n]/g, ' ');
}
