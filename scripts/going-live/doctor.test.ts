import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { MonitorState } from '#shared/contracts/operators/monitor';
import { answerAsInstallation, makeMonitorState, serve } from '#tests/support/going-live/installation';
import { testSettings } from '#tests/support/unit/settings';
import { readEnv } from '#worker/env';
import { checkAccount } from './check-account.ts';
import { checkLive, monitorFindings } from './check-live.ts';
import { checkOutside } from './check-outside.ts';
import { checkTree, keepsAddressesOut } from './check-tree.ts';
import { sampleFile } from './environment-file.ts';
import type { Finding } from './finding.ts';

const stateOf = (findings: Finding[], part: string) => findings.find(({ label }) => label.includes(part))?.state;

const badIn = (findings: Finding[]) => findings.filter(({ state }) => state !== 'ok').map(({ label }) => label);

describe('checking the project folder', () => {
  const app = (scopes: string[], distribution = 'marketplace') =>
    JSON.stringify({ config: { distribution, auth: { requiredScopes: scopes } } });
  const SCOPES = `oauth crm.objects.companies.read crm.objects.contacts.read crm.objects.invoices.read e-commerce
    crm.objects.line_items.read crm.schemas.line_items.read`.split(/\s+/);
  const settings = readEnv({ ...testSettings('https://vendor.test'), APP_URL: 'https://pay.clinic.test' });
  const PROJECT = readFileSync('hubspot/hsproject.json', 'utf8');
  const check = (toml: string, file: string, project = PROJECT) => {
    const texts: Record<string, string> = { 'wrangler.toml': toml, 'hubspot/hsproject.json': project };
    return checkTree(settings, (name) => texts[name] ?? file, Date.UTC(2026, 10, 24));
  };
  const LOGS = '[observability]\nredact_query_string = true\n[observability.logs]\ninvocation_logs = false';
  const TOML = `crons = ["* * * * *"]
${LOGS}\n[observability.traces]\nenabled = false`;

  it('requires the cron schedule and a marketplace app file with all scopes', () => {
    expect(badIn(check(TOML, app(SCOPES)))).toEqual([]);
    expect(badIn(check('', app(SCOPES)))).toContain('schedule in wrangler.toml');
    expect(badIn(check(TOML, app(['oauth'])))).toEqual(['scopes in hubspot/src/app/app-hsmeta.json']);
    expect(badIn(check(TOML, app(SCOPES, 'private')))).toEqual(['distribution in hubspot/src/app/app-hsmeta.json']);
  });

  it('requires a supported version of HubSpot’s platform', () => {
    const stateFor = (version: string) =>
      stateOf(check(TOML, app(SCOPES), `{"platformVersion":"${version}"}`), 'platform');
    expect(['2026.03', '2025.06', '2025.05', '2025.2'].map(stateFor)).toEqual(['ok', 'ok', 'wrong', 'wrong']);
  });

  it('requires the app file to declare every optional scope that is set', () => {
    const withScope = readEnv({
      ...testSettings('https://vendor.test'),
      APP_URL: 'https://pay.clinic.test',
      HUBSPOT_OPTIONAL_SCOPES: 'crm.objects.commercepayments.write',
    });
    const stateWith = (file: string) =>
      stateOf(
        checkTree(withScope, (name) => ({ 'wrangler.toml': TOML, 'hubspot/hsproject.json': PROJECT })[name] ?? file),
        'HUBSPOT_OPTIONAL_SCOPES',
      );
    expect(stateWith(app(SCOPES))).toBe('wrong');
    expect(stateWith(readFileSync('hubspot/src/app/app-hsmeta.json', 'utf8'))).toBe('ok');
  });

  it('requires every setting that keeps addresses out of the platform’s logs, in its own section', () => {
    const toml = readFileSync('wrangler.toml', 'utf8');
    const stateFor = (toml: string) => stateOf(check(toml, app([])), 'logs');
    expect(stateFor(toml)).toBe('ok');
    const lines = ['redact_query_string = true', 'invocation_logs = false', '[observability.traces]\nenabled = false'];
    for (const line of lines) {
      expect(toml, line).toContain(line);
      expect(stateFor(toml.replace(line, '')), line).toBe('missing');
      expect(stateFor(toml.replace(line, line.replace(/\w+ = /, '# $&'))), line).toBe('missing');
      expect(
        stateFor(
          toml.replace(
            line,
            line.replace(/true$|false$/, (was) => String(was === 'false')),
          ),
        ),
        line,
      ).toBe('missing');
    }
    expect(stateFor(`${toml.replace('invocation_logs = false', '')}\n[triggers]\ninvocation_logs = false`)).toBe(
      'missing',
    );
  });

  it('requires the build output to keep these log settings', () => {
    const observability = {
      enabled: true,
      redact_query_string: true,
      logs: { enabled: true, invocation_logs: false },
      traces: { enabled: false },
    };
    expect(keepsAddressesOut(JSON.stringify({ observability }))).toBe(true);
    expect(keepsAddressesOut(JSON.stringify({ observability: { enabled: true } }))).toBe(false);
    for (const part of ['redact_query_string', 'logs', 'traces'])
      expect(keepsAddressesOut(JSON.stringify({ observability: { ...observability, [part]: undefined } })), part).toBe(
        false,
      );
  });

  it('passes for this repository without any operator’s own values', () => {
    expect(badIn(checkTree(settings, undefined, Date.UTC(2026, 10, 24)))).toEqual([]);
  });
});

describe('checking the vendors', () => {
  const settingsAt = (base: string) => readEnv(testSettings(base));

  it('passes when they answer and accept the keys', async () => {
    const base = await serve((request, response) => {
      if (request.url?.endsWith('/token')) response.writeHead(400).end('{"status":"BAD_REFRESH_TOKEN"}');
      else response.writeHead(200).end('{}');
    });
    const findings = await checkOutside(settingsAt(base));
    expect(findings.map(({ state }) => state)).toEqual(['ok', 'ok', 'not-checked', 'ok']);
  });

  it('reports each vendor that does not answer or rejects the key', async () => {
    const base = await serve((request, response) => {
      const isToken = request.url?.endsWith('/token');
      response.writeHead(isToken ? 400 : 401).end(isToken ? '{"message":"missing or unknown client id"}' : '{}');
    });
    const findings = await checkOutside(settingsAt(base));
    expect([stateOf(findings, 'CRM'), stateOf(findings, 'gateway'), stateOf(findings, 'mail')]).toEqual(
      Array(3).fill('wrong'),
    );
    expect((await checkOutside(settingsAt('http://127.0.0.1:9'))).map(({ state }) => state)).toEqual(
      Array(4).fill('wrong'),
    );
  });
});

describe('checking the platform account', () => {
  const answers =
    (settingsOfWorker: Record<string, string>) =>
    (...args: string[]) => {
      const text = settingsOfWorker[args[0] ?? ''];
      return { isOk: text !== undefined, text: text ?? '' };
    };
  const ACCOUNT = { whoami: '{"loggedIn":true}', d1: '[{"results":[{"name":"0001_a.sql"}]}]', r2: 'tillway-media' };
  const secret = (...names: string[]) => `banner\n${JSON.stringify(names.map((name) => ({ name })))}`;
  const place = (...names: string[]) => ({ parts: sampleFile, config: 'x.json', names, migrations: ['0001_a.sql'] });

  it('reports that an account is needed when wrangler is not logged in', () => {
    expect(checkAccount(place('BUILD_SECRET'), answers({})).map(({ state }) => state)).toEqual(['account']);
  });

  it('checks the database, the buckets and missing secrets', () => {
    const completeAccount = answers({ ...ACCOUNT, secret: secret('BUILD_SECRET', 'MAIL_API_KEY') });
    expect(badIn(checkAccount(place('BUILD_SECRET'), completeAccount))).toEqual([]);
    const partialAccount = answers({ ...ACCOUNT, secret: secret('BUILD_SECRET') });
    const bad = checkAccount(place('BUILD_SECRET', 'TOKEN_KEYS'), partialAccount);
    expect(bad.find(({ label }) => label === 'secrets')?.detail).toContain('TOKEN_KEYS;');
    const emptyAccount = checkAccount(place(), answers({ whoami: '{}', d1: '[]' }));
    expect(emptyAccount.map(({ state }) => state)).toEqual(['ok', 'wrong', 'missing', 'missing', 'missing', 'missing']);
  });
});

describe('the tamper monitor', () => {
  const openFindings = async (state: MonitorState, secret = 'a-secret') =>
    (await monitorFindings(secret, Response.json(state))).filter((found) => found.state !== 'ok');
  const DAY = 86_400_000;
  const finding = {
    kind: 'script-changed',
    subject: '{provider}/x.js',
    expected: 'one hash',
    seen: 'another',
  } as const;
  const times = { firstSeenAt: 0, lastSeenAt: 0, timesSeen: 1 };

  it('passes with recent inside and outside runs, an approved version and no finding', async () => {
    expect(await openFindings(makeMonitorState())).toEqual([]);
  });

  it('skips the outside run when no payer visits the installation', async () => {
    const never = Response.json(makeMonitorState({ lastRuns: { inside: Date.now(), outside: null } }));
    const findings = await monitorFindings('a-secret', never, false);
    const [outside] = findings.filter(({ label }) => label.includes('outside'));
    expect(outside?.state).toBe('not-checked');
  });

  it.each([
    ['is missing without a secret', makeMonitorState(), '', 'missing tamper monitor (MONITOR_SECRET)'],
    [
      'is late inside',
      makeMonitorState({ lastRuns: { inside: Date.now() - DAY, outside: Date.now() } }),
      's',
      'wrong tamper monitor, check from inside',
    ],
    [
      'is late outside',
      makeMonitorState({ lastRuns: { inside: Date.now(), outside: Date.now() - 9 * DAY } }),
      's',
      'wrong tamper monitor, check from outside',
    ],
    [
      'never ran outside',
      makeMonitorState({ lastRuns: { inside: Date.now(), outside: null } }),
      's',
      'missing tamper monitor, check from outside',
    ],
    ['has no approved version', makeMonitorState({ approved: [] }), 's', 'missing provider’s script'],
    [
      'has a finding',
      makeMonitorState({ findings: [{ ...finding, ...times, source: 'outside' }] }),
      's',
      'wrong pay page, seen from outside',
    ],
  ])('%s', async (_label, state, secret, line) => {
    expect((await openFindings(state, secret)).map((found) => `${found.state} ${found.label}`)).toEqual([line]);
  });
});

describe('checking the running installation', () => {
  it('checks its address, headers, built site and secrets from outside', async () => {
    let appUrl = '';
    const base = await serve(answerAsInstallation(testSettings(''), () => ({ appUrl })));
    appUrl = base;
    const settingsOfWorker = readEnv({ ...testSettings(base), APP_URL: base });
    const findings = await checkLive(settingsOfWorker);
    expect(findings.filter(({ state }) => state === 'missing' || state === 'wrong')).toEqual([]);
    // The doctor must change nothing, so it lists checks that would need a change as not checked.
    expect(findings.filter(({ state }) => state === 'not-checked').map(({ label }) => label)).toEqual([
      'build service',
      'owner of the content area',
    ]);
    const otherSecrets = {
      ...settingsOfWorker,
      BUILD_SECRET: 'another-secret-than-the-worker-has',
      MONITOR_SECRET: 'another-secret-than-the-worker-has',
      BOARDING_WEBHOOK_SECRET: 'x'.repeat(24),
      TRANSACTION_WEBHOOK_SECRET: 'y'.repeat(24),
      MAIL_WEBHOOK_SECRET: `whsec_${'z'.repeat(32)}`,
    };
    appUrl = 'https://elsewhere.test';
    const bad = (await checkLive(otherSecrets)).filter(({ state }) => state === 'missing' || state === 'wrong');
    expect(bad.map(({ label }) => label)).toEqual([
      'address of the Worker',
      'webhook address for boarding',
      'webhook address for transactions',
      'webhook of mails (MAIL_WEBHOOK_SECRET)',
      'builder’s reports (BUILD_SECRET)',
      'tamper monitor (MONITOR_SECRET)',
    ]);
    const [local] = await checkLive({ ...settingsOfWorker, APP_URL: 'http://127.0.0.1:9' });
    expect([local?.state, local?.detail]).toEqual([
      'missing',
      'http://127.0.0.1:9 does not answer; run npm start in another window',
    ]);
    const [remote] = await checkLive({ ...settingsOfWorker, APP_URL: 'https://127.0.0.1:9' });
    expect([remote?.state, remote?.detail]).toEqual([
      'missing',
      'https://127.0.0.1:9 does not answer; run npm run deploy (step 5)',
    ]);
  });
});
