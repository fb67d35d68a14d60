import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '#tests/support/login';
import { insertRow } from '#tests/support/unit/insert-row';
import { openMeter } from '#tests/support/unit/meter';
import { testSettings } from '#tests/support/unit/settings';
import { openDb } from '#worker/data/db';
import type { Deps } from '#worker/deps';

const SECRET = testSettings('').HEALTH_SECRET;
const clock = { now: Date.UTC(2026, 2, 4, 15) };
let app: TestApp;

/** Makes an app with its own database object, so that no test gets a cached answer of another test. */
const makeFreshApp = (overrides: Partial<Deps> = {}, settings: Record<string, unknown> = {}) =>
  makeApp({ now: () => clock.now, installation: openDb(env.INSTALLATION), ...overrides }, settings);

beforeEach(() => {
  app = makeFreshApp();
});

const insertRun = (job: string, minutesAgo: number, ok = 1) => {
  const finished_at = clock.now - minutesAgo * 60_000;
  return insertRow(env.INSTALLATION, 'heartbeats', {
    job,
    started_at: finished_at,
    finished_at,
    ok,
    ok_at: finished_at,
  });
};
const getHealth = async (secret?: string) => {
  const headers = new Headers(secret === undefined ? {} : { authorization: `Bearer ${secret}` });
  const response = await app.request('/api/health', { headers });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
};
const insertAlert = (event: string, overrides: object = {}) =>
  insertRow(env.INSTALLATION, 'alerts', { key: event, event, severity: 'now', n: 1, told_at: clock.now, ...overrides });

describe('GET /api/health', () => {
  it('shows no details without the secret and is never cached', async () => {
    await insertRun('payments', 1);
    const { status, headers, body } = await getHealth();
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({ status: 'pass', version: expect.any(String), commit: '', time: '2026-03-04T15:00:00.000Z' });
    expect((await getHealth('x')).body).not.toHaveProperty('checks');
    expect((await getHealth('')).body).not.toHaveProperty('checks');
  });

  it('shows details only with the secret, and never if no secret is set', async () => {
    await insertRun('payments', 1);
    await insertRun('backup', 27 * 60);
    await insertAlert('payment-unknown', { accounts: 3 });
    const { checks, status } = (await getHealth(SECRET)).body as { status: string; checks: Record<string, object> };
    expect(status).toBe('warn');
    expect(Object.keys(checks).sort()).toEqual(
      ['d1', 'cron', 'outbox', 'unknown_payments', 'crm', 'gateway', 'backup'].sort(),
    );
    expect(checks.cron).toEqual({ status: 'pass', observedValue: 60, time: '2026-03-04T14:59:00.000Z' });
    expect(checks.unknown_payments).toMatchObject({ status: 'warn', observedValue: 3 });
    expect(checks.outbox).toMatchObject({ status: 'pass', observedValue: 0 });
    expect(checks.backup).toMatchObject({ status: 'warn' });
    app = makeFreshApp({}, { HEALTH_SECRET: '' });
    expect((await getHealth('')).body).not.toHaveProperty('checks');
  });

  it('warns while an urgent alert is open and sent, but not for closed, unsent or daily alerts', async () => {
    await insertRun('payments', 1);
    await insertAlert('mail-given-up', { severity: 'daily' });
    await insertAlert('payment-needs-a-person', { told_at: null });
    await insertAlert('script-changed', { closed_at: clock.now });
    expect((await getHealth()).body.status).toBe('pass');
    app = makeFreshApp();
    await insertAlert('job-overdue');
    const { status, body } = await getHealth();
    expect([status, body.status]).toEqual([200, 'warn']);
  });

  it('fails when the schedule was silent for more than five minutes or never ran', async () => {
    expect([(await getHealth()).status, (await getHealth()).body.status]).toEqual([503, 'fail']);
    await insertRun('payments', 6);
    app = makeFreshApp();
    expect((await getHealth()).status).toBe(503);
  });

  it('fails when the database does not answer', async () => {
    const brokenDatabase = {
      batch: () => Promise.reject(new Error('gone')),
      select: () => ({ from: () => ({ where: () => 0 }) }),
    };
    app = makeFreshApp({ installation: brokenDatabase as unknown as Deps['installation'] });
    const { status, body } = await getHealth(SECRET);
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'fail', checks: { d1: { status: 'fail' } } });
  });

  it('makes one call with two reads, then none for five seconds', async () => {
    const meter = openMeter(env);
    app = makeFreshApp({ installation: meter.db });
    await insertRun('payments', 1);
    await meter.measure('first', getHealth);
    await meter.measure('second', getHealth);
    clock.now += 5_000;
    await meter.measure('third', getHealth);
    meter.close();
    expect(['first', 'second', 'third'].map((name) => meter.costs.get(name)?.queries)).toEqual([2, 0, 2]);
    expect(meter.costs.get('first')).toMatchObject({ calls: 1, subrequests: 0 });
  });
});
