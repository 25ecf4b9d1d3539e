import { expect, test } from 'vitest';
import { closingLine, countExitCode, countPlaywright, countVitest, sum } from './test-report.mjs';

const vitestReport = (testResults, rest = {}) =>
  JSON.stringify({ numPassedTests: 2, numFailedTests: 0, numPendingTests: 1, testResults, ...rest });
const playwrightReport = (stats, errors = []) =>
  JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors });

test('a green vitest run is counted as it reports', () => {
  expect(countVitest(vitestReport([]), 0)).toEqual({ passed: 2, failed: 0, skipped: 1 });
});

test('a test file that cannot be loaded counts as one failure', () => {
  const file = { status: 'failed', assertionResults: [] };
  expect(countVitest(vitestReport([file]), 1).failed).toBe(1);
});

test('a failed test is not counted a second time for its file', () => {
  const file = { status: 'failed', assertionResults: [{ status: 'failed' }] };
  expect(countVitest(vitestReport([file], { numFailedTests: 1 }), 1).failed).toBe(1);
});

test('a runner that fails without a failed test counts as one failure', () => {
  expect(countVitest(vitestReport([]), 1).failed).toBe(1);
  expect(countPlaywright(playwrightReport({ expected: 3 }), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test('a runner that leaves no report, or half of one, counts as one failure even with exit code 0', () => {
  expect(countVitest(undefined, 0).failed).toBe(1);
  expect(countPlaywright('{"stats', 0).failed).toBe(1);
});

test('a page test that passed on a retry passed, and an error outside tests failed', () => {
  const report = playwrightReport({ expected: 1, flaky: 1, skipped: 2 }, [{ message: 'boom' }]);
  expect(countPlaywright(report, 1)).toEqual({ passed: 2, failed: 1, skipped: 2 });
});

test('the closing line names skipped tests only when there are some', () => {
  expect(closingLine(sum([countExitCode(0), countExitCode(1)]))).toBe('1 passed, 1 failed');
  expect(closingLine({ passed: 1, failed: 0, skipped: 2 })).toBe('1 passed, 0 failed, 2 skipped');
});
