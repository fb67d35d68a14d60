import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { callsIn, gitIn, makeClone, runIn } from '#tests/support/going-live/clone';
import { serve } from '#tests/support/going-live/installation';
import { testSettings } from '#tests/support/unit/settings';
import { sampleFile } from './environment-file.ts';
import { fitConfig } from './installation-config.ts';
import { migrationFiles } from './remote-database.ts';

async function deploy(root: string, args: string[], variables: Record<string, string> = {}) {
  const result = await runIn(root, 'deploy', args, variables);
  return { ...result, called: callsIn(root) };
}

/** An installation that answers with a commit and accepts build reports. */
async function installation(commitNow: () => string) {
  const reports: { state: string; reason?: string }[] = [];
  const APP_URL = await serve(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    if (request.method === 'POST') reports.push(JSON.parse(text));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ commit: commitNow() }));
  });
  return {
    reports,
    variables: { APP_URL, BUILD_SECRET: 'build-secret-of-the-tests', ENVIRONMENT: JSON.stringify(sampleFile) },
  };
}
const [OLD, NEW] = ['a'.repeat(40), 'b'.repeat(40)];
const APPLIED = JSON.stringify(migrationFiles());
const uploads = (called: string[]) => called.filter((call) => call.startsWith('deploy '));

describe('publishing content from the build service', () => {
  it('uploads the live commit under the environment’s names, without secrets or migrations', async () => {
    const root = makeClone();
    const { variables, reports } = await installation(() => OLD);
    const { status, called } = await deploy(root, ['--content'], { ...variables, WORKERS_CI_COMMIT_SHA: OLD, APPLIED });
    expect(status).toBe(0);
    expect(called.some((call) => call.includes('--file'))).toBe(false);
    expect(uploads(called)).toHaveLength(1);
    expect(uploads(called)[0]).toContain(`--var COMMIT:${OLD} --message commit ${OLD}`);
    expect(uploads(called)[0]).not.toContain('--secrets-file');
    const built = JSON.parse(readFileSync(path.join(root, 'dist/server/wrangler.json'), 'utf8'));
    expect(built).toMatchObject({
      name: 'tillway',
      d1_databases: [{ database_name: 'tillway' }],
      triggers: { crons: ['* * * * *'] },
    });
    expect(reports.at(-1)).toEqual({ state: 'built', revision: 7 });
  });

  it.each([
    [
      'another commit is live',
      { WORKERS_CI_COMMIT_SHA: NEW, APPLIED },
      OLD,
      'live is aaaaaaaa, and this build has bbbbbbbb',
    ],
    ['a migration is pending', { WORKERS_CI_COMMIT_SHA: OLD, APPLIED: '[]' }, OLD, 'applies no migration'],
  ])('uploads nothing when %s, and shows the reason in the content area', async (_label, more, live, reason) => {
    const { variables, reports } = await installation(() => live);
    const { status, called, lines } = await deploy(makeClone(), ['--content'], { ...variables, ...more });
    expect([status, uploads(called)]).toEqual([1, []]);
    expect(lines.at(-1)).toContain(reason);
    expect(reports.at(-1)).toMatchObject({ state: 'failed' });
    expect(reports.at(-1)?.reason).toContain(reason);
  });

  it('uploads nothing when a release goes live during the build', async () => {
    let requestCount = 0;
    const { variables, reports } = await installation(() => {
      const isSecondLook = reports.some((report) => 'step' in report && report.step === 'looking for a release');
      requestCount++;
      return isSecondLook ? NEW : OLD;
    });
    const { status, called } = await deploy(makeClone(), ['--content'], {
      ...variables,
      WORKERS_CI_COMMIT_SHA: OLD,
      APPLIED,
    });
    expect([status, uploads(called)]).toEqual([1, []]);
    expect(requestCount).toBeGreaterThan(1);
  });
});

describe('npm run deploy', () => {
  it.each([
    ['truncated', '{"worker":"tillway"'],
    ['incomplete', '{"worker":"tillway"}'],
  ])('reports in one sentence that the variable ENVIRONMENT is %s', async (_label, ENVIRONMENT) => {
    const variables = { APP_URL: 'https://pay.clinic.test', ENVIRONMENT };
    const { status, lines, called } = await deploy(makeClone(), ['--content'], variables);
    expect([status, called]).toEqual([1, []]);
    expect(lines).toEqual([
      'deploy: the variable ENVIRONMENT is not what npm run deploy -- --variables prints; copy that line again (docs/deploy.md, step 6)',
    ]);
  });

  it('stops with a one-line reason before it changes anything when settings are missing', async () => {
    const withoutSettings = await deploy(makeClone(), []);
    expect(withoutSettings.lines).toEqual([
      'deploy: there is neither production.json (copy docs/production.example.json) nor the variables APP_URL and ENVIRONMENT of a build service; see docs/deploy.md',
    ]);
    const text = '{"settings":{"APP_URL":"https://pay.clinic.test","MAIL_API_KEY":""}}';
    const { status, lines, called } = await deploy(makeClone({ 'staging.json': text }), ['--to', 'staging']);
    expect([status, called]).toEqual([1, []]);
    expect(lines).toContain(
      'account MAIL_API_KEY: needs an account at the mail service; a separate key for this environment (step 4)',
    );
    expect(lines.some((line) => line.startsWith('wrong database: '))).toBe(true);
    expect(lines.at(-1)).toBe('deploy: staging is not complete; npm run doctor -- --to staging lists what is missing');
  });

  it('rejects a configuration that lets the platform log addresses', async () => {
    const toml = readFileSync('wrangler.toml', 'utf8').replace('invocation_logs = false\n', '');
    const vars = { ...testSettings('https://vendor.test'), APP_URL: 'https://staging.clinic.test' };
    const file = {
      ...sampleFile,
      operator: { ...sampleFile.operator, supportEmail: 'help@clinic.test' },
      settings: vars,
    };
    const { status, lines } = await deploy(makeClone({ 'wrangler.toml': toml, 'staging.json': JSON.stringify(file) }), [
      '--to',
      'staging',
    ]);
    expect(status).toBe(1);
    expect(lines.filter((line) => line.startsWith('missing '))).toEqual([
      'missing logs in wrangler.toml: the platform would log addresses that open payments and sessions: set invocation_logs = false under [observability.logs]',
    ]);
  });

  it('requires a commit for a release, and prints the build service’s variables without secrets', async () => {
    const vars = { ...testSettings('https://vendor.test'), APP_URL: 'https://staging.clinic.test' };
    const file = {
      ...sampleFile,
      operator: { ...sampleFile.operator, supportEmail: 'help@clinic.test' },
      settings: vars,
    };
    const root = makeClone({ 'staging.json': JSON.stringify(file) });
    gitIn(root, 'init', '-q');
    const release = await deploy(root, ['--to', 'staging']);
    expect(release.lines).toEqual([
      'deploy: a release needs a commit, and this folder has uncommitted changes: commit first',
    ]);
    expect(release.called).toEqual([]);
    const { out } = await deploy(root, ['--to', 'staging', '--variables']);
    expect(out).toContain('ENVIRONMENT={"worker":"tillway"');
    for (const [name, value] of Object.entries(vars)) if (/SECRET|KEY/.test(name)) expect(out).not.toContain(value);
  });

  it('rejects unknown arguments, unknown environments and the local environment', async () => {
    const lastLine = async (...args: string[]) => (await deploy(makeClone(), args)).lines.at(-1);
    expect(await lastLine('--remote')).toBe(
      'deploy: unknown argument --remote; known are --to NAME, --content, --dry-run, --variables',
    );
    expect(await lastLine('--to', 'test')).toBe('deploy: --to takes local, staging, production, not “test”');
    expect(await lastLine('--to', 'local')).toContain('npm start runs the local environment');
  });
});

describe('the configuration of an environment', () => {
  it('changes only names, routes and placement, and keeps every other setting of wrangler.toml', async () => {
    const { unstable_readConfig } = await import('wrangler');
    const config = unstable_readConfig({ config: 'wrangler.toml' });
    const parts = { ...sampleFile, worker: 'other', placement: 'aws:us-east-1' };
    const fittedConfig = fitConfig(config, parts, 'https://staging.clinic.test');
    expect(fittedConfig).toMatchObject({
      name: 'other',
      routes: [{ pattern: 'staging.clinic.test', custom_domain: true }],
      placement: { region: 'aws:us-east-1' },
    });
    const bindings = (entries: { binding?: unknown }[]) => entries.map(({ binding }) => binding);
    expect(bindings(fittedConfig.d1_databases)).toEqual(['INSTALLATION']);
    expect(bindings(fittedConfig.r2_buckets)).toEqual(['MEDIA', 'AUDIT_ANCHORS', 'BACKUPS']);
    const changed = ['name', 'routes', 'placement', 'd1_databases', 'r2_buckets'];
    const rest = (value: object) => Object.fromEntries(Object.entries(value).filter(([key]) => !changed.includes(key)));
    expect(rest(fittedConfig)).toEqual(rest(config));
    expect(Object.keys(rest(fittedConfig)).length).toBeGreaterThan(15);
  });
});
