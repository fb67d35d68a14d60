import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { problemsOf, uncoveredParts } from './workflows.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const files = globSync('.github/workflows/*.{yml,yaml}').sort();
const read = (name: string) => readFileSync(`.github/workflows/${name}.yml`, 'utf8');

test.each(files)('%s runs only existing scripts, from pinned actions, with read-only permissions', (file) => {
  expect(problemsOf(readFileSync(file, 'utf8'), scripts)).toEqual([]);
});

test('every push and pull request runs all parts of npm test', () => {
  expect(uncoveredParts(read('test'))).toEqual([]);
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
  const workflow = read('test');

  it.each([
    ['an action pinned by tag', /actions\/checkout@\S+ # v6.0.2/, 'actions/checkout@v6', 'not pinned'],
    ['a hash without a version', / # v6.0.2/, '', 'not pinned'],
    ['write permissions', 'contents: read', 'contents: write', 'permissions'],
    ['a job with permissions', '  money:\n', '  money:\n    permissions: write-all\n', 'money has its own permissions'],
    ['a job without a timeout', /timeout-minutes: 20/, 'continue-on-error: true', 'has no timeout'],
    ['older runs that continue', 'cancel-in-progress: true', 'cancel-in-progress: false', 'not cancelled'],
    ['the target’s permissions for forks', '  pull_request:', '  pull_request_target:', 'pull_request_target'],
    ['a token left on the disk', 'persist-credentials: false', 'persist-credentials: true', 'leaves the token'],
    ['an unknown script', 'npm run sbom', 'npm run bom', 'no script for: npm run bom'],
    ['an unknown part', 'npm test -- money', 'npm test -- mony', '"mony" is neither'],
    ['an invalid share', '1/2, 2/2', '1/2, 3/2', '--shard needs'],
  ])('fails the check with %s', (_label, from, to, problem) => {
    const changed = workflow.replace(from, to);
    expect(changed).not.toBe(workflow);
    expect(problemsOf(changed, scripts)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ['a part', 'npm test -- whole', 'npm ci', ['whole 1/1']],
    ['one part of several', 'check node components unit', 'check components unit', ['node 1/1']],
    ['a share', '1/2, 2/2', '1/2', ['browser 2/2']],
  ])('fails the check when it leaves out %s', (_label, from, to, missing) => {
    expect(uncoveredParts(workflow.replace(from, to))).toEqual(missing);
  });
});
