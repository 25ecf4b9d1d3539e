// Adds up what the test runners report. Pure: text in, counts out.

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

export const NOTHING = { passed: 0, failed: 0, skipped: 0 };

/** Counts of a step that is one test: it passed when its exit code is 0. */
export function countExitCode(code) {
  return code === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 };
}

/** Counts of a vitest JSON report. A file that failed without a failed test counts as one. */
export function countVitest(text, code) {
  const report = parse(text);
  if (!report) return countCrash(NOTHING, code, true);
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  );
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
  return countCrash(counts, code, false);
}

/** Counts of a Playwright JSON report. A test that passed on a retry passed; errors outside tests failed. */
export function countPlaywright(text, code) {
  const report = parse(text);
  if (!report) return countCrash(NOTHING, code, true);
  const { expected, unexpected, flaky, skipped } = report.stats;
  const counts = { passed: expected + flaky, failed: unexpected + report.errors.length, skipped };
  return countCrash(counts, code, false);
}

/** @param {Counts[]} all */
export function sum(all) {
  return all.reduce(
    (total, counts) => ({
      passed: total.passed + counts.passed,
      failed: total.failed + counts.failed,
      skipped: total.skipped + counts.skipped,
    }),
    NOTHING,
  );
}

/** The closing line: `3 passed, 0 failed`, with `, 1 skipped` when something was. */
export function closingLine({ passed, failed, skipped }) {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/** A runner that left no report, or failed without saying which test, counts as one failure. */
function countCrash(counts, code, noReport) {
  const crashed = noReport || (code !== 0 && counts.failed === 0);
  return crashed ? { ...counts, failed: counts.failed + 1 } : counts;
}

function parse(text) {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
