import { beforeEach, describe, expect, it } from 'vitest';
import { monitorLimits } from '#shared/limits';
import { makeApp, type TestApp } from '#tests/support/login';
import { bytesOf, JAVASCRIPT } from '#tests/support/unit/pay-page-parts';
import { testSettings } from '#tests/support/unit/settings';
import { monitorFindings, monitorRuns, scriptVersions } from '#worker/data/schema/monitoring';

const SECRET = testSettings('').MONITOR_SECRET;
const SCRIPT = 'provide(/* seen from outside */)';
const lines: string[] = [];
let app: TestApp;
let sha256: string;

beforeEach(async () => {
  lines.length = 0;
  app = makeApp({ log: { info: () => undefined, alert: (event) => void lines.push(event) } });
  sha256 = await app.installation.sha256(SCRIPT);
});

const call = (path: string, body?: unknown, secret: string | null = SECRET) =>
  app.request(path, {
    ...(body === undefined ? {} : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: {
      'content-type': 'application/json',
      ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
    },
  });
const version = (text = SCRIPT) => ({ sha256, type: JAVASCRIPT, body: btoa(String.fromCharCode(...bytesOf(text))) });
const changedFinding = () => ({
  kind: 'script-changed',
  subject: '{provider}/js-sdk/js/clearent-host.js',
  expected: 'no version is approved yet',
  seen: sha256,
});
const seen = { scripts: [], inline: [], headers: {}, frames: [], connections: [] };
const report = (overrides: object = {}) => ({
  browser: 'Chromium 153',
  seen,
  findings: [],
  versions: [],
  ...overrides,
});
const approval = (overrides: object = {}) => ({
  sha256,
  by: 'Dana Reyes',
  reason: 'Read the difference: a label.',
  ...overrides,
});

describe('the tamper monitor API', () => {
  it.each([
    ['GET', '/api/monitor', undefined],
    ['POST', '/api/monitor', report()],
    ['POST', '/api/monitor/approvals', approval({ sha256: 'a'.repeat(64) })],
  ])('accepts only the holder of its secret: %s %s', async (_method, path, body) => {
    for (const secret of [null, '', 'x', `${SECRET}x`, testSettings('').BUILD_SECRET]) {
      expect((await call(path, body, secret)).status, String(secret)).toBe(401);
    }
    expect((await call(path, body)).status).not.toBe(401);
  });

  it('accepts no one when no secret is set', async () => {
    app = makeApp({}, { MONITOR_SECRET: '' });
    for (const secret of [null, '', SECRET]) expect((await call('/api/monitor', undefined, secret)).status).toBe(401);
  });
});

describe('a tamper monitor report', () => {
  it('is saved with its evidence, findings and scripts, and alerts once per new finding', async () => {
    const first = await call('/api/monitor', report({ findings: [changedFinding()], versions: [version()] }));
    expect([first.status, await first.json()]).toEqual([
      201,
      { runId: expect.stringMatching(/^[0-9a-f]{32}$/), newFindings: 1 },
    ]);
    expect(await (await call('/api/monitor', report({ findings: [changedFinding()] }))).json()).toMatchObject({
      newFindings: 0,
    });
    expect(lines).toEqual(['script-changed']);
    const { db, media } = app.installation;
    const [run] = await db.select().from(monitorRuns);
    expect(await (await media.get(run?.evidenceKey ?? ''))?.json()).toMatchObject({
      source: 'outside',
      browser: 'Chromium 153',
      findings: [changedFinding()],
    });
    expect(await (await media.get(`monitor/scripts/${sha256}.js`))?.text()).toBe(SCRIPT);
    expect(await (await call('/api/monitor')).json()).toEqual({
      approved: [],
      files: {},
      lastRuns: { inside: null, outside: expect.any(Number) },
      findings: [
        {
          ...changedFinding(),
          source: 'outside',
          timesSeen: 2,
          firstSeenAt: expect.any(Number),
          lastSeenAt: expect.any(Number),
        },
      ],
    });
  });

  it('may contain odd texts, and the same finding twice', async () => {
    const oddFinding = {
      ...changedFinding(),
      kind: 'script-not-listed',
      subject: '\ud800\u0000</script>\u202e',
      seen: "'); --",
    };
    const answer = await call(
      '/api/monitor',
      report({ findings: [oddFinding, oddFinding], seen: { ...seen, headers: { __proto__: null } } }),
    );
    expect([answer.status, await answer.json()]).toEqual([201, expect.objectContaining({ newFindings: 1 })]);
  });

  it.each([
    ['invalid JSON', '{"browser":', 400],
    ['a list', '[]', 422],
    ['a finding of an unknown kind', report({ findings: [{ ...changedFinding, kind: 'odd' }] }), 422],
    ['more entries than a page has', report({ seen: { ...seen, inline: Array(201).fill('sha256-x') } }), 422],
    ['an overlong text', report({ browser: 'x'.repeat(monitorLimits.text + 1) }), 422],
    ['an invalid hash', report({ versions: [{ sha256: 'abc', type: '', body: '' }] }), 422],
    ['a body that is not base64', report({ versions: [{ sha256: 'a'.repeat(64), type: '', body: '%' }] }), 422],
    ['a body with another hash', report({ versions: [{ sha256: 'a'.repeat(64), type: '', body: btoa('x') }] }), 422],
    ['too many bytes', ' '.repeat(monitorLimits.report + 1), 413],
  ])('is rejected with %s', async (_case, body, status) => {
    expect((await call('/api/monitor', body)).status).toBe(status);
    expect(await app.installation.db.select().from(monitorRuns)).toEqual([]);
    expect(await app.installation.db.select().from(scriptVersions)).toEqual([]);
  });
});

describe('a script approval', () => {
  it('records a person and a reason, closes its findings and takes effect at once', async () => {
    await call('/api/monitor', report({ findings: [changedFinding()], versions: [version()] }));
    const answer = await call('/api/monitor/approvals', approval({ by: '  Dana Reyes ' }));
    expect([answer.status, await answer.json()]).toEqual([200, { closedFindings: 1 }]);
    const { db } = app.installation;
    expect(await db.select().from(scriptVersions)).toMatchObject([
      { sha256, approvedBy: 'Dana Reyes', reason: 'Read the difference: a label.', approvedAt: expect.any(Number) },
    ]);
    expect(await db.select().from(monitorFindings)).toMatchObject([{ closedAs: 'approved' }]);
    expect(await (await call('/api/monitor')).json()).toMatchObject({ approved: [sha256], findings: [] });
  });

  it.each([
    ['no reason', { reason: undefined }, 'Give a reason of 10 to 500 characters.'],
    ['an empty reason', { reason: '            ' }, 'Give a reason of 10 to 500 characters.'],
    ['a reason that is too short', { reason: 'ok' }, 'Give a reason of 10 to 500 characters.'],
    ['no name', { by: ' ' }, 'Say who approves it, in 2 to 100 characters.'],
  ])('is rejected with %s', async (_case, overrides, message) => {
    await call('/api/monitor', report({ findings: [changedFinding()], versions: [version()] }));
    const answer = await call('/api/monitor/approvals', approval(overrides));
    expect([answer.status, (await answer.json<{ error: { message: string } }>()).error.message]).toEqual([
      422,
      message,
    ]);
    expect(await (await call('/api/monitor')).json()).toMatchObject({ approved: [] });
  });

  it('cannot be replaced by a later one', async () => {
    await call('/api/monitor', report({ findings: [changedFinding()], versions: [version()] }));
    await call('/api/monitor/approvals', approval());
    const second = await call(
      '/api/monitor/approvals',
      approval({ by: 'Sam Poe', reason: 'I have looked at it as well.' }),
    );
    expect([second.status, (await second.json<{ error: { message: string } }>()).error.message]).toEqual([
      409,
      expect.stringMatching(/^Dana Reyes approved this version already, at 2\d{3}-/),
    ]);
    expect(await app.installation.db.select().from(scriptVersions)).toMatchObject([{ approvedBy: 'Dana Reyes' }]);
  });

  it('returns 404 for a version never seen', async () => {
    expect((await call('/api/monitor/approvals', approval())).status).toBe(404);
    expect(await app.installation.db.select().from(scriptVersions)).toEqual([]);
  });
});
