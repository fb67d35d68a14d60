import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MonitorState } from '#shared/contracts/monitor';
import { signatureOf } from '#tests/support/mail-news';
import { testSettings } from '#tests/support/unit/settings';
import { readEnv } from '#worker/env';
import { checkAccount } from './check-account.ts';
import { checkLive } from './check-live.ts';
import { NO_EVENT } from './check-mail-webhook.ts';
import { monitorFindings } from './check-monitor.ts';
import { checkOutside } from './check-outside.ts';
import { checkTree, keepsAddressesOut } from './check-tree.ts';
import type { Finding } from './finding.ts';
import { readProduction } from './read-production.ts';

const stateOf = (findings: Finding[], part: string) => findings.find(({ what }) => what.includes(part))?.state;

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function fileWith(content: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tillway-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'production.json'), content);
  return path.join(folder, 'production.json');
}

describe('the settings of an installation', () => {
  it('are named one by one where they are missing or malformed, and never shown', () => {
    const { OWNER_SETUP_CODE: _code, ...most } = testSettings('https://x.example');
    const { settings, findings } = readProduction(fileWith(JSON.stringify({ ...most, GATEWAY_SANDBOX: 'maybe' })));
    expect(settings).toBeNull();
    expect(stateOf(findings, 'OWNER_SETUP_CODE')).toBe('missing');
    expect(stateOf(findings, 'GATEWAY_SANDBOX')).toBe('wrong');
    for (const { say } of findings) expect(say).not.toContain('maybe');
  });

  it('need an address on the internet and a deploy hook', () => {
    const { findings } = readProduction(fileWith(JSON.stringify(testSettings('http://localhost:1'))));
    expect(stateOf(findings, 'APP_URL')).toBe('wrong');
    expect(stateOf(findings, 'DEPLOY_HOOK_URL')).toBe('missing');
    const vendors = testSettings('https://vendor.test');
    const good = { ...vendors, APP_URL: 'https://pay.clinic.test', DEPLOY_HOOK_URL: 'https://hooks.test/1' };
    expect(readProduction(fileWith(JSON.stringify(good))).findings.filter(({ state }) => state !== 'ok')).toEqual([]);
  });

  it('are reported missing without a file, and when it is not readable', () => {
    expect(readProduction('/nowhere/production.json').findings[0]?.state).toBe('missing');
    expect(readProduction(fileWith('{')).findings[0]?.state).toBe('wrong');
  });
});

describe('the folder', () => {
  const app = (redirect: string, scopes: string[]) =>
    JSON.stringify({ config: { auth: { redirectUrls: [redirect], requiredScopes: scopes } } });
  const SCOPES = `oauth crm.objects.companies.read crm.objects.contacts.read crm.objects.invoices.read e-commerce
    crm.objects.line_items.read crm.schemas.line_items.read`.split(/\s+/);
  const settings = readEnv({ ...testSettings('https://vendor.test'), APP_URL: 'https://pay.clinic.test' });
  const check = (toml: string, file: string) => checkTree(settings, (name) => (name === 'wrangler.toml' ? toml : file));
  const LOGS = '[observability]\nredact_query_string = true\n[observability.logs]\ninvocation_logs = false';
  const TOML = `database_id = "5b1c1f6e-0000-4000-8000-3d2a1f6e5b1c"\ncrons = ["* * * * *"]
${LOGS}\n[observability.traces]\nenabled = false`;

  it('needs the id of a database, the schedule, and an app file with all scopes and the way back', () => {
    const good = check(TOML, app('https://pay.clinic.test/oauth', SCOPES));
    expect(good.filter(({ state, what }) => state !== 'ok' && !what.includes('operator'))).toEqual([]);
    const bad = check(
      'database_id = "00000000-0000-0000-0000-000000000001"',
      app('https://other.test/oauth', ['oauth']),
    );
    expect(stateOf(bad, 'database_id')).toBe('missing');
    expect(stateOf(bad, 'schedule')).toBe('missing');
    expect(stateOf(bad, 'scopes')).toBe('wrong');
    expect(bad.find(({ what }) => what.startsWith('redirect'))?.say).toBe('must list https://pay.clinic.test/oauth');
  });

  it('needs each optional scope that is set to be declared by the app', () => {
    const asking = readEnv({
      ...testSettings('https://vendor.test'),
      APP_URL: 'https://pay.clinic.test',
      HUBSPOT_OPTIONAL_SCOPES: 'crm.objects.commercepayments.write',
    });
    const stateWith = (file: string) =>
      stateOf(
        checkTree(asking, (name) => (name === 'wrangler.toml' ? TOML : file)),
        'HUBSPOT_OPTIONAL_SCOPES',
      );
    expect(stateWith(app('', SCOPES))).toBe('wrong');
    expect(stateWith(readFileSync('hubspot/src/app/app-hsmeta.json', 'utf8'))).toBe('ok');
  });

  it('needs every line that keeps addresses out of the platform’s logs, in its own section', () => {
    const own = readFileSync('wrangler.toml', 'utf8');
    const stateFor = (toml: string) => stateOf(check(toml, app('', [])), 'logs');
    expect(stateFor(own)).toBe('ok');
    const lines = ['redact_query_string = true', 'invocation_logs = false', '[observability.traces]\nenabled = false'];
    for (const line of lines) {
      expect(own, line).toContain(line);
      expect(stateFor(own.replace(line, '')), line).toBe('missing');
      expect(stateFor(own.replace(line, line.replace(/\w+ = /, '# $&'))), line).toBe('missing');
      expect(
        stateFor(
          own.replace(
            line,
            line.replace(/true$|false$/, (was) => String(was === 'false')),
          ),
        ),
        line,
      ).toBe('missing');
    }
    expect(stateFor(`${own.replace('invocation_logs = false', '')}\n[triggers]\ninvocation_logs = false`)).toBe(
      'missing',
    );
  });

  it('needs a build that keeps these lines too', () => {
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

  it('of this project lacks only the operator’s own values', () => {
    const bad = checkTree(settings).filter(({ state }) => state !== 'ok');
    expect(bad.map(({ what }) => what.split(' ')[0]).sort()).toEqual(['database_id', 'redirect', 'shared/operator.ts']);
  });
});

describe('the vendors', () => {
  const settingsAt = (base: string) => readEnv(testSettings(base));

  it('are ok when they answer and know the keys', async () => {
    const base = await serve((request, response) => {
      if (request.url?.endsWith('/token')) response.writeHead(400).end('{"status":"BAD_REFRESH_TOKEN"}');
      else response.writeHead(200).end('{}');
    });
    const findings = await checkOutside(settingsAt(base));
    expect(findings.map(({ state }) => state)).toEqual(['ok', 'ok', 'not-checked', 'ok']);
  });

  it('are named when they do not answer or refuse the key', async () => {
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

describe('the account', () => {
  const answers =
    (good: Record<string, string>) =>
    (...args: string[]) => {
      const text = good[args[0] ?? ''];
      return { isOk: text !== undefined, text: text ?? '' };
    };
  const ACCOUNT = { whoami: '{"loggedIn":true}', d1: 'No migrations to apply!', r2: 'tillway-media' };
  const secret = (...names: string[]) => `banner\n${JSON.stringify(names.map((name) => ({ name })))}`;

  it('is missing without a login', () => {
    expect(checkAccount(['BUILD_SECRET'], answers({})).map(({ state }) => state)).toEqual(['missing']);
  });

  it('is checked for database, bucket and missing secrets', () => {
    const all = answers({ ...ACCOUNT, secret: secret('BUILD_SECRET', 'MAIL_API_KEY') });
    expect(checkAccount(['BUILD_SECRET'], all).filter(({ state }) => state !== 'ok')).toEqual([]);
    const bad = checkAccount(['BUILD_SECRET', 'TOKEN_KEYS'], answers({ ...ACCOUNT, secret: secret('BUILD_SECRET') }));
    expect(bad.find(({ what }) => what === 'secrets')?.say).toContain('TOKEN_KEYS;');
    const none = checkAccount([], answers({ whoami: '{}', d1: '0007_more.sql' }));
    expect(none.map(({ state }) => state)).toEqual(['ok', 'wrong', 'missing', 'missing', 'missing', 'missing']);
  });
});

describe('deploying', () => {
  const deploy = (args: string[], settings?: string, toml?: string) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tillway-deploy-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const file of ['wrangler.toml', 'hubspot/src/app/app-hsmeta.json']) cpSync(file, path.join(folder, file));
    if (settings) writeFileSync(path.join(folder, 'production.json'), settings);
    if (toml) writeFileSync(path.join(folder, 'wrangler.toml'), toml);
    const { APP_URL: _address, ...env } = process.env;
    const script = path.resolve('scripts/deploy.ts');
    const { status, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: folder, env, encoding: 'utf8' });
    return { status, lines: stderr.trim().split('\n') };
  };

  it('stops with one line for the person, before it changes anything, while settings are missing', () => {
    expect(deploy([])).toEqual({
      status: 1,
      lines: ['deploy: there is neither production.json nor a variable APP_URL; see docs/deploy.md'],
    });
    const { status, lines } = deploy([], '{"APP_URL":"https://pay.clinic.test","MAIL_API_KEY":""}');
    expect(status).toBe(1);
    expect(lines).toContain('missing MAIL_API_KEY: has no value');
    expect(lines.filter((line) => line.startsWith('missing database_id in wrangler.toml'))).toHaveLength(1);
    expect(lines.at(-1)).toBe('deploy: the installation is not complete; npm run doctor lists what is missing');
  });

  it('refuses a configuration that lets the platform keep addresses', () => {
    const vendors = testSettings('https://vendor.test');
    const settings = JSON.stringify({ ...vendors, APP_URL: 'https://pay.clinic.test' });
    const toml = readFileSync('wrangler.toml', 'utf8')
      .replace(/database_id = ".*"/, 'database_id = "5b1c1f6e-0000-4000-8000-3d2a1f6e5b1c"')
      .replace('invocation_logs = false\n', '');
    const { status, lines } = deploy([], settings, toml);
    expect(status).toBe(1);
    expect(lines.filter((line) => line.startsWith('missing '))).toEqual([
      'missing logs in wrangler.toml: the platform would keep addresses that open payments and sessions: set invocation_logs = false under [observability.logs]',
    ]);
    expect(lines.at(-1)).toBe('deploy: the installation is not complete; npm run doctor lists what is missing');
  });

  it('refuses unknown arguments', () => {
    expect(deploy(['--remote']).lines).toEqual(['deploy: unknown argument --remote; only --dry-run is allowed']);
  });
});

const monitored = (more: Partial<MonitorState> = {}): MonitorState => ({
  approved: ['a'.repeat(64)],
  files: {},
  lastRuns: { inside: Date.now(), outside: Date.now() },
  findings: [],
  ...more,
});

describe('the tamper monitor', () => {
  const standing = async (state: MonitorState, secret = 'a-secret') =>
    (await monitorFindings(secret, Response.json(state))).filter(({ state: one }) => one !== 'ok');
  const DAY = 86_400_000;
  const finding = {
    kind: 'script-changed',
    subject: '{provider}/x.js',
    expected: 'one hash',
    seen: 'another',
  } as const;
  const times = { firstSeenAt: 0, lastSeenAt: 0, timesSeen: 1 };

  it('is in order after looks of either kind in time, with an approved version and no finding', async () => {
    expect(await standing(monitored())).toEqual([]);
  });

  it.each([
    ['is missing without a secret', monitored(), '', 'missing tamper monitor (MONITOR_SECRET)'],
    [
      'is late inside',
      monitored({ lastRuns: { inside: Date.now() - DAY, outside: Date.now() } }),
      's',
      'wrong tamper monitor, look from inside',
    ],
    [
      'is late outside',
      monitored({ lastRuns: { inside: Date.now(), outside: Date.now() - 9 * DAY } }),
      's',
      'wrong tamper monitor, look from outside',
    ],
    [
      'never looked outside',
      monitored({ lastRuns: { inside: Date.now(), outside: null } }),
      's',
      'missing tamper monitor, look from outside',
    ],
    ['has no approved version', monitored({ approved: [] }), 's', 'missing provider’s script'],
    [
      'has a finding',
      monitored({ findings: [{ ...finding, ...times, source: 'outside' }] }),
      's',
      'wrong pay page, seen from outside',
    ],
  ])('%s', async (_what, state, secret, line) => {
    expect((await standing(state, secret)).map(({ state: one, what }) => `${one} ${what}`)).toEqual([line]);
  });
});

describe('the installation', () => {
  it('is checked from outside: address, headers, built site, and its secrets', async () => {
    const { BOARDING_WEBHOOK_SECRET, TRANSACTION_WEBHOOK_SECRET, BUILD_SECRET, MONITOR_SECRET, MAIL_WEBHOOK_SECRET } =
      testSettings('');
    const hooks = [`/boarding/${BOARDING_WEBHOOK_SECRET}`, `/transactions/${TRANSACTION_WEBHOOK_SECRET}`];
    let appUrl = '';
    const base = await serve((request, response) => {
      const url = request.url ?? '';
      response.setHeader('strict-transport-security', 'max-age=1');
      if (url === '/app_url') response.end(JSON.stringify({ appUrl }));
      else if (url === '/built.json') response.end('{"revision":4}');
      else if (url === '/api/webhooks/mail') {
        const [id, seconds] = [String(request.headers['svix-id']), String(request.headers['svix-timestamp'])];
        const right = signatureOf(MAIL_WEBHOOK_SECRET, id, seconds, NO_EVENT);
        response.writeHead(request.headers['svix-signature'] === right ? 400 : 401).end();
      } else if (url.startsWith('/api/webhooks'))
        response.writeHead(hooks.some((hook) => url.endsWith(hook)) ? 400 : 404).end();
      else if (url.startsWith('/api/internal'))
        response.writeHead(request.headers.authorization === `Bearer ${BUILD_SECRET}` ? 404 : 401).end();
      else if (url === '/api/monitor')
        response
          .writeHead(request.headers.authorization === `Bearer ${MONITOR_SECRET}` ? 200 : 401)
          .end(JSON.stringify(monitored()));
      else response.end('home');
    });
    appUrl = base;
    const good = readEnv({ ...testSettings(base), APP_URL: base });
    const findings = await checkLive(good);
    expect(findings.filter(({ state }) => state === 'missing' || state === 'wrong')).toEqual([]);
    // The doctor must change nothing, so it lists checks that would need a change as not checked.
    expect(findings.filter(({ state }) => state === 'not-checked').map(({ what }) => what)).toEqual([
      'build service',
      'owner of the content area',
    ]);
    const other = {
      ...good,
      BUILD_SECRET: 'another-secret-than-the-worker-has',
      MONITOR_SECRET: 'another-secret-than-the-worker-has',
      BOARDING_WEBHOOK_SECRET: 'x'.repeat(24),
      TRANSACTION_WEBHOOK_SECRET: 'y'.repeat(24),
      MAIL_WEBHOOK_SECRET: `whsec_${'z'.repeat(32)}`,
    };
    appUrl = 'https://elsewhere.test';
    const bad = (await checkLive(other)).filter(({ state }) => state === 'missing' || state === 'wrong');
    expect(bad.map(({ what }) => what)).toEqual([
      'address of the Worker',
      'webhook address for boarding',
      'webhook address for transactions',
      'webhook of mails (MAIL_WEBHOOK_SECRET)',
      'builder’s reports (BUILD_SECRET)',
      'tamper monitor (MONITOR_SECRET)',
    ]);
    expect((await checkLive({ ...good, APP_URL: 'http://127.0.0.1:9' }))[0]?.state).toBe('missing');
  });
});
