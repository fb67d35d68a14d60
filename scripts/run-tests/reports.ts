import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The counts of one part, from its runner's own report. */
export type Count = { passed: number; failed: number; skipped: number; failures: string[] };

export const emptyCount: Count = { passed: 0, failed: 0, skipped: 0, failures: [] };
export const oneFailure: Count = { ...emptyCount, failed: 1 };

export type Run = {
  report: string;
  code: number;
  /** True: zero tests are acceptable, because none may have the given name. */
  mayBeEmpty?: boolean;
};

export const countChecks = (run: Run): Count =>
  readCount(run, (json: { passed: number; failed: number }) => ({ ...emptyCount, ...json }));

export const countTests = (run: Run): Count =>
  readCount(run, (json: VitestReport) => ({
    passed: json.numPassedTests,
    failed: json.numFailedTests + json.testResults.filter(isWithoutTests).length,
    skipped: json.numPendingTests + json.numTodoTests,
    failures: failuresIn(json),
  }));

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

/** True for a file that failed to load or whose hooks failed, so that none of its tests reports a failure. */
const isWithoutTests = ({ status, assertionResults }: VitestReport['testResults'][number]) =>
  status === 'failed' && assertionResults.every((test) => test.status !== 'failed');

/** Each failed test with the beginning of its reason; a file that failed to load names no test. */
function failuresIn({ testResults }: VitestReport): string[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = path.relative('.', name);
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      if (tests.length === 0) return [`${file}\n${message.slice(0, 2000)}`];
      return tests.map((test) => `${file}: ${test.fullName}\n${test.failureMessages.join('\n').slice(0, 2000)}`);
    });
}

/** Counts a failure if a runner failed without a failed test, or left no report. */
function readCount<T>({ report, code, mayBeEmpty = false }: Run, countOf: (json: T) => Count): Count {
  const count = existsSync(report) ? countOf(JSON.parse(readFileSync(report, 'utf8')) as T) : emptyCount;
  const isEmpty = count.passed === 0 && !mayBeEmpty;
  return count.failed === 0 && (code !== 0 || isEmpty) ? { ...count, failed: 1 } : count;
}
