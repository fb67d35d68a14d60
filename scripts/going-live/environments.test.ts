import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as samples from '#shared/operator';
import * as sampleCards from '#shared/operator-cards';
import { testSettings } from '#tests/support/unit/settings';
import { checkGoLive } from './check-go-live.ts';
import { checkOperator } from './check-operator.ts';
import { exampleOf, type OperatorWords, type RemoteName, sampleFile } from './environment-file.ts';
import type { Finding } from './finding.ts';
import { operatorModules } from './installation-config.ts';
import { readEnvironment } from './read-environment.ts';

const stateOf = (findings: Finding[], part: string) => findings.find(({ label }) => label.includes(part))?.state;
const badIn = (findings: Finding[]) => findings.filter(({ state }) => state !== 'ok').map(({ label }) => label);

function fileWith(content: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tillway-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'production.json'), content);
  return path.join(folder, 'production.json');
}

const example = (name: RemoteName) =>
  JSON.parse(readFileSync(exampleOf(name), 'utf8')) as { database: object; operator: object; settings: object };
/** A complete file of an environment, as a person fills in the example. */
const fillIn = (name: RemoteName, more: object = {}, vars: object = {}) => {
  const { database, settings, ...rest } = example(name);
  const { APP_URL: _url, HUBSPOT_API_BASE: _base, ...secrets } = testSettings('https://vendor.test');
  const hosts = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
  return JSON.stringify({
    ...rest,
    database: { ...database, id: `5b1c1f6e-0000-4000-8000-3d2a1f6e5b1${name === 'staging' ? 'a' : 'b'}` },
    settings: {
      ...secrets,
      ...hosts,
      APP_URL: `https://${name}.clinic.test`,
      DEPLOY_HOOK_URL: 'https://hooks.test/1',
      ...vars,
    },
    ...more,
  });
};

describe('the settings file of an environment', () => {
  it('reports each missing or malformed setting by name and never shows a value', () => {
    const text = fillIn(
      'staging',
      { database: { name: 'tillway', id: 'secret-7' } },
      { OWNER_SETUP_CODE: '', GATEWAY_SANDBOX: 'maybe' },
    );
    const { settings, file, findings } = readEnvironment('staging', fileWith(text));
    expect([settings, file]).toEqual([null, null]);
    expect(stateOf(findings, 'OWNER_SETUP_CODE')).toBe('missing');
    expect(stateOf(findings, 'GATEWAY_SANDBOX')).toBe('wrong');
    expect(stateOf(findings, 'database.id')).toBe('wrong');
    for (const { detail } of findings) expect(detail).not.toMatch(/maybe|secret-7/);
  });

  it('is complete once the example is filled in, and requires a public address and a deploy hook', () => {
    for (const name of ['staging', 'production'] as const) {
      expect(badIn(readEnvironment(name, fileWith(fillIn(name))).findings), name).toEqual([]);
    }
    const localFile = fileWith(fillIn('staging', {}, { APP_URL: 'http://localhost:1', DEPLOY_HOOK_URL: '' }));
    expect(badIn(readEnvironment('staging', localFile).findings)).toEqual(['APP_URL', 'DEPLOY_HOOK_URL']);
  });

  it('reports which vendor account each empty setting needs when the example is not filled in', () => {
    const { findings } = readEnvironment('staging', fileWith(readFileSync(exampleOf('staging'), 'utf8')));
    const inState = (state: Finding['state']) =>
      Object.fromEntries(findings.filter((found) => found.state === state).map(({ label, detail }) => [label, detail]));
    const account = (detail: string | undefined) => /^needs (an? .+?); /.exec(detail ?? '')?.[1];
    expect(Object.entries(inState('account')).map(([label, detail]) => [label, account(detail)])).toEqual([
      ['HUBSPOT_CLIENT_ID', 'a HubSpot developer account'],
      ['HUBSPOT_CLIENT_SECRET', 'a HubSpot developer account'],
      ['BOARDING_ACCESS_KEY', 'a Clearent partner account'],
      ['BOARDING_NODE_KEY', 'a Clearent partner account'],
      ['MAIL_API_KEY', 'an account at the mail service'],
      ['database.id', 'a Cloudflare account'],
    ]);
    const secretNames = ['BOARDING_WEBHOOK_SECRET', 'TRANSACTION_WEBHOOK_SECRET', 'OWNER_SETUP_CODE', 'BUILD_SECRET'];
    const rings = ['TOKEN_KEYS', 'SESSION_KEYS', 'CAPABILITY_KEYS'];
    expect(Object.keys(inState('missing')).sort()).toEqual([...secretNames, ...rings].sort());
    for (const name of secretNames)
      expect(inState('missing')[name]).toBe('was left empty; generate it with the second line of step 3');
    for (const name of rings)
      expect(inState('missing')[name]).toBe('was left empty; generate it with the first line of step 3');
    expect(inState('wrong')).toEqual({});
  });

  it('is reported as missing when absent and as wrong when unreadable', () => {
    expect(readEnvironment('production', '/nowhere/production.json').findings[0]?.state).toBe('missing');
    expect(readEnvironment('production', fileWith('{')).findings[0]?.state).toBe('wrong');
    expect(badIn(readEnvironment('production', fileWith('[]')).findings)).toContain('APP_URL');
  });

  it('rejects sandbox hosts in production, production hosts in staging, and a wrong GATEWAY_SANDBOX', () => {
    const hosts = {
      GATEWAY_BASE_URL: 'https://gateway.clearent.net/',
      REPORTING_BASE_URL: 'https://reporting.clearent.net',
    };
    expect(badIn(readEnvironment('staging', fileWith(fillIn('staging', {}, hosts))).findings)).toEqual([
      'GATEWAY_BASE_URL',
      'REPORTING_BASE_URL',
    ]);
    const sandbox = { BOARDING_BASE_URL: 'https://boarding-sb.clearent.net', GATEWAY_SANDBOX: 'true' };
    expect(badIn(readEnvironment('production', fileWith(fillIn('production', {}, sandbox))).findings)).toEqual([
      'BOARDING_BASE_URL',
      'GATEWAY_SANDBOX',
    ]);
    expect(
      badIn(readEnvironment('staging', fileWith(fillIn('staging', {}, { GATEWAY_SANDBOX: 'false' }))).findings),
    ).toEqual(['GATEWAY_SANDBOX']);
  });
});

describe('the operator’s own texts', () => {
  const words = sampleFile.operator;
  const check = (name: RemoteName, more: Partial<OperatorWords> = {}) =>
    badIn(checkOperator(name, { ...words, supportEmail: 'help@clinic.test', ...more }, '2026-11-24'));
  const evidence = (seen: string) =>
    ['99.9% uptime', '10k+ merchants', 'PCI DSS', 'ISO 27001', 'GDPR'].map((claim) => ({
      claim,
      covers: 'All that we do.',
      since: '2026-01-01',
      url: 'https://x.test',
      seen,
    }));

  it('require dated evidence for each homepage claim in production', () => {
    expect(check('production')).toEqual(
      ['99.9% uptime', '10k+ merchants', 'PCI DSS', 'ISO 27001', 'GDPR'].map((claim) => `claim “${claim}”`),
    );
    expect(check('production', { evidence: evidence('2026-11-24').slice(1) })).toEqual(['claim “99.9% uptime”']);
    expect(check('production', { evidence: evidence('2026-11-25') })).toHaveLength(5);
    expect(check('production', { evidence: evidence('2026-11-24') })).toEqual([]);
    // Evidence counts if it was checked within the last twelve months, to the day.
    expect(check('production', { evidence: evidence('2025-11-24') })).toEqual([]);
    expect(check('production', { evidence: evidence('2025-11-23') })).toHaveLength(5);
    expect(check('production', { evidence: evidence('2019-11-24') })).toHaveLength(5);
    expect(check('production', { uptime: '99.99%', evidence: evidence('2026-11-24') })).toEqual([
      'claim “99.99% uptime”',
    ]);
  });

  it('may lack evidence in staging, marked as samples, but never use the example support address', () => {
    expect(check('staging')).toEqual(['claims']);
    expect(check('staging', { supportEmail: words.supportEmail })).toEqual(['operator.supportEmail', 'claims']);
    const claims = (name: RemoteName) => operatorModules(name, words)['shared/operator.ts'].operatorClaims;
    expect([claims('staging').areSamples, claims('production').areSamples]).toEqual([true, false]);
  });

  it('do not appear in the social picture that the repository ships', () => {
    expect(readFileSync('scripts/pictures/social.ts', 'utf8')).not.toMatch(/#shared\/operator|operator\./);
  });

  it('replace every sample value and nothing else', () => {
    const modules = operatorModules('staging', words);
    expect(modules['shared/operator.ts']).toEqual({ ...samples });
    expect(modules['shared/operator-cards.ts']).toEqual({ ...sampleCards });
  });
});

describe('the go-live checklist for real cards', () => {
  const read = (name: RemoteName, vars: object = {}) => readEnvironment(name, fileWith(fillIn(name, {}, vars)));
  const vendorAccounts = Object.fromEntries(
    ['HUBSPOT_CLIENT_ID', 'HUBSPOT_CLIENT_SECRET', 'BOARDING_ACCESS_KEY', 'MAIL_API_KEY'].map((name) => [
      name,
      `of-production-${name}`,
    ]),
  );
  const keys = Object.fromEntries(
    ['TOKEN_KEYS', 'SESSION_KEYS', 'CAPABILITY_KEYS'].map((name, at) => [
      name,
      `p1:${Buffer.alloc(32, at + 1).toString('base64')}`,
    ]),
  );
  const secrets = Object.fromEntries(
    ['BUILD', 'OPERATOR', 'MONITOR', 'BOARDING_WEBHOOK', 'TRANSACTION_WEBHOOK', 'HEALTH'].map((name) => [
      `${name}_SECRET`,
      `${name}-secret-of-production-alone`,
    ]),
  );
  const alertSettings = {
    ALERT_MAIL_TO: 'a@clinic.test',
    ALERT_WEBHOOK_URL: 'https://x.test',
    HEARTBEAT_URL: 'https://x.test',
    OWNERS_NEED_PASSKEY: 'true',
  };
  const MAIL_WEBHOOK_SECRET = `whsec_${'p'.repeat(32)}`;
  const ready = { ...vendorAccounts, ...keys, ...secrets, ...alertSettings, MAIL_WEBHOOK_SECRET };
  const probes = { hubspot: '2026-11-01', gateway: '2026-11-01', mail: '2026-11-01', cloudflare: '2026-11-01' };
  const facts = { probes, today: '2026-11-24', stagingCommit: 'a1', commit: 'a1' };
  const bad = (vars: object, more: object = {}) =>
    badIn(checkGoLive(read('production', vars), read('staging'), { ...facts, ...more }));

  it('passes when production shares nothing with staging, is monitored and has been rehearsed', () => {
    expect(bad(ready)).toEqual([]);
  });

  it.each([
    ['a key shared with staging', { TOKEN_KEYS: testSettings('').TOKEN_KEYS }, {}, 'separate keys'],
    [
      'a vendor account shared with staging',
      { HUBSPOT_CLIENT_ID: testSettings('').HUBSPOT_CLIENT_ID },
      {},
      'separate vendor accounts',
    ],
    [
      'a domain shared with staging',
      { APP_URL: 'https://staging.clinic.test' },
      {},
      'separate database, buckets and domain',
    ],
    ['owners without passkeys', { OWNERS_NEED_PASSKEY: 'false' }, {}, 'passkeys of owners'],
    ['a missing alert recipient', { HEARTBEAT_URL: '' }, {}, 'alerts are set up'],
    ['a commit that differs from staging', {}, { stagingCommit: 'b2' }, 'the same commit in staging'],
    ['a staging that does not answer', {}, { stagingCommit: '' }, 'the same commit in staging'],
    ['an old transcript', {}, { probes: { ...probes, gateway: '2026-08-01' } }, 'probe of gateway'],
    ['no transcript', {}, { probes: { ...probes, mail: undefined } }, 'probe of mail'],
  ])('fails for %s', (_label, vars, more, line) => {
    expect(bad({ ...ready, ...vars }, more)).toEqual([line]);
  });

  it('matches docs/deploy.md line by line', () => {
    const lines = checkGoLive(read('production', ready), read('staging'), facts).map(({ label }) => label);
    const [, section = ''] = readFileSync('docs/deploy.md', 'utf8').split('\n## From the sandbox to real cards\n');
    for (const line of [...lines, 'GATEWAY_SANDBOX', 'claim']) expect(section).toContain(`**${line}**`);
  });
});
