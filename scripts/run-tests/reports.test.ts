import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { countChecks, countTests } from './reports.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tillway-reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

let fileCount = 0;
function write(json: object): string {
  const file = path.join(folder, `${fileCount++}.json`);
  writeFileSync(file, JSON.stringify(json));
  return file;
}

const vitest = (fields: object) => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 2,
  numTodoTests: 0,
  testResults: [],
  ...fields,
});

describe('a test runner’s report', () => {
  it('provides the counts of passed, failed and skipped tests', () => {
    expect(countTests({ report: write(vitest({})), code: 0 })).toMatchObject({ passed: 3, failed: 0, skipped: 2 });
    expect(countChecks({ report: write({ passed: 7, failed: 1, names: {} }), code: 1 })).toMatchObject({
      passed: 7,
      failed: 1,
    });
  });

  it('counts as a failure when it is missing, or when the runner failed without naming a test', () => {
    expect(countTests({ report: path.join(folder, 'none.json'), code: 0 }).failed).toBe(1);
    expect(countTests({ report: write(vitest({})), code: 1 }).failed).toBe(1);
  });

  it('counts as a failure when no test ran, unless a name filter allows that', () => {
    const report = write(vitest({ numPassedTests: 0 }));
    expect(countTests({ report, code: 0 }).failed).toBe(1);
    expect(countTests({ report, code: 0, mayBeEmpty: true }).failed).toBe(0);
  });

  it('lists each failed test with its reason, and each file that failed to load', () => {
    const testResults = [
      {
        name: path.resolve('worker/a.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [{ status: 'failed', fullName: 'a sum is right', failureMessages: ['3, not 4'] }],
      },
      { name: path.resolve('worker/b.test.ts'), status: 'failed', message: 'cannot be read', assertionResults: [] },
    ];
    const { failures, failed } = countTests({ report: write(vitest({ numFailedTests: 1, testResults })), code: 1 });
    expect(failed).toBe(2);
    expect(failures).toEqual(['worker/a.test.ts: a sum is right\n3, not 4', 'worker/b.test.ts\ncannot be read']);
  });
});
