import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { leftOut, problemsOf } from './workflows.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const files = globSync('.github/workflows/*.{yml,yaml}').sort();
const read = (name: string) => readFileSync(`.github/workflows/${name}.yml`, 'utf8');

test.each(files)('%s runs only existing scripts, from pinned actions, with read-only permissions', (file) => {
  expect(problemsOf(readFileSync(file, 'utf8'), scripts)).toEqual([]);
});

test('every push and pull request runs all parts of npm test', () => {
  expect(leftOut(read('test'))).toEqual([]);
  expect(Object.keys((parse(read('test')) as { on: object }).on)).toEqual(['push', 'pull_request']);
});

test('the complete workflow runs all tests and the simulation on a schedule', () => {
  const { on, jobs } = parse(read('complete')) as { on: { schedule: object[] }; jobs: object };
  expect(on.schedule).toHaveLength(1);
  expect(JSON.stringify(jobs)).toContain('npm run test:all"');
  expect(JSON.stringify(jobs)).toMatch(/npm run simulate -- --seeds \S+.* --minutes 90"/);
});

test('known vulnerabilities are audited every night, in shipped packages and in tools', () => {
  const { packages } = (parse(read('complete')) as { jobs: Record<string, { steps: { run?: string }[] }> }).jobs;
  expect(packages?.steps.map(({ run }) => run).filter((run) => run?.startsWith('npm audit'))).toEqual([
    'npm audit --omit=dev --audit-level=moderate',
    'npm audit --audit-level=high',
  ]);
});

test('the previous release runs on the current schema every night, in a full clone', () => {
  const { before } = (parse(read('complete')) as { jobs: Record<string, { steps: { run?: string; with?: object }[] }> })
    .jobs;
  expect(before?.steps.map(({ run }) => run)).toContain('npm run test:before');
  expect(before?.steps[0]?.with).toMatchObject({ 'fetch-depth': 0 });
});

describe('a workflow', () => {
  const good = read('test');

  it.each([
    ['an action by its tag', /actions\/checkout@\S+ # v6.0.2/, 'actions/checkout@v6', 'not pinned'],
    ['a hash without a version', / # v6.0.2/, '', 'not pinned'],
    ['more rights', 'contents: read', 'contents: write', 'permissions'],
    ['a job with rights of its own', '  money:\n', '  money:\n    permissions: write-all\n', 'money has permissions'],
    ['a job without an end', /timeout-minutes: 20/, 'continue-on-error: true', 'has no timeout'],
    ['older runs that go on', 'cancel-in-progress: true', 'cancel-in-progress: false', 'not cancelled'],
    ['the target’s rights for strangers', '  pull_request:', '  pull_request_target:', 'pull_request_target'],
    ['the token left on the disk', 'persist-credentials: false', 'persist-credentials: true', 'leaves the token'],
    ['a script that is none', 'npm run sbom', 'npm run bom', 'no script for: npm run bom'],
    ['a part that is none', 'npm test -- money', 'npm test -- mony', '"mony" is neither'],
    ['a share that is none', '1/2, 2/2', '1/2, 3/2', '--shard needs'],
  ])('fails the check with %s', (_what, from, to, problem) => {
    const bad = good.replace(from, to);
    expect(bad).not.toBe(good);
    expect(problemsOf(bad, scripts)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ['a part', 'npm test -- whole', 'npm ci', ['whole 1/1']],
    ['one part of several', 'check node components unit', 'check components unit', ['node 1/1']],
    ['a share', '1/2, 2/2', '1/2', ['browser 2/2']],
  ])('fails the check when it leaves out %s', (_what, from, to, missing) => {
    expect(leftOut(good.replace(from, to))).toEqual(missing);
  });
});
