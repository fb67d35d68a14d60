import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { useObjects } from '#tests/support/operate-world';
import { insertRow } from '#tests/support/unit/insert-row';
import { makeWorld } from '#tests/support/unit/world';
import { depsOfClinic } from '#worker/clinic/capability-keys';
import { openClinics } from '#worker/clinic/clinics';
import { addClinic } from '#worker/data/directory/clinics';
import { findDirectoryRow } from '#worker/data/operate/directory';
import { createSealer } from '#worker/security/token-cipher';
import { reportStatus } from './heartbeat.ts';

const QUARTER_HOUR_MS = 15 * 60_000;

/** A clinic that has reported to the directory once, at `reportedAt` (UTC ms). */
async function makeReported() {
  const world = await makeWorld();
  /** Reports from a new isolate, which has no memory of earlier reports. */
  const report = async () => {
    vi.resetModules();
    await (await import('./heartbeat.ts')).reportStatus(world.deps);
  };
  const inDirectory = (column: string) =>
    world.installation.db.$client
      .prepare(`SELECT ${column} FROM clinics WHERE number = ?`)
      .bind(world.deps.clinic)
      .first(column);
  await report();
  expect(await inDirectory('heard_at')).toBe(world.clock.now);
  const run = (sql: string) => world.deps.db.$client.prepare(sql).run();
  return { ...world, report, inDirectory, run, reportedAt: world.clock.now };
}

describe('a clinic’s status report', () => {
  it('is not repeated by a new isolate within a quarter of an hour if it is unchanged', async () => {
    const { clock, report, inDirectory, reportedAt } = await makeReported();
    clock.now = reportedAt + QUARTER_HOUR_MS - 1;
    await report();
    expect(await inDirectory('heard_at')).toBe(reportedAt);
    clock.now = reportedAt + QUARTER_HOUR_MS;
    await report();
    expect(await inDirectory('heard_at')).toBe(reportedAt + QUARTER_HOUR_MS);
  });

  it.each([
    ['its name', "UPDATE accounts SET name = 'Elm Dental'"],
    ['a terminal', "UPDATE terminals SET terminal_id = terminal_id || '-new'"],
    // As reported by an older version.
    ['its number of migrations', "UPDATE status_reports SET text = json_replace(text, '$.schema', 1)"],
  ])('includes a change of %s at once, and only once', async (_title, sql) => {
    const { clock, report, inDirectory, run, reportedAt } = await makeReported();
    await run(sql);
    clock.now = reportedAt + 1000;
    await report();
    clock.now = reportedAt + 2000;
    await report();
    expect(await inDirectory('heard_at')).toBe(reportedAt + 1000);
  });

  it('counts payments in manual review and payments with unknown outcome separately', async () => {
    const { accountId, clock, report, inDirectory, reportedAt } = await makeReported();
    const payment = (id: string, state: string, created_at: number) => {
      const ids = { id, account_id: accountId, invoice_id: id, invoice_number: id, dedupe_key: id, receipt_id: id };
      return insertRow(env.DB, 'payment_attempts', { ...ids, currency: 'USD', state, created_at });
    };
    await payment('judged', 'needs_human', 5);
    clock.now = reportedAt + QUARTER_HOUR_MS;
    await report();
    expect([await inDirectory('needs_human'), await inDirectory('stuck_since')]).toEqual([1, null]);
    await payment('lost', 'unknown', 7);
    clock.now = reportedAt + 2 * QUARTER_HOUR_MS;
    await report();
    expect([await inDirectory('needs_human'), await inDirectory('stuck_since')]).toEqual([1, 7]);
  });

  it('tells the directory whether Google Pay is accepted', async () => {
    const { report, inDirectory, run, clock, reportedAt } = await makeReported();
    expect(await inDirectory('takes_google_pay')).toBe(0);
    await run('UPDATE accounts SET takes_google_pay = 1');
    clock.now = reportedAt + QUARTER_HOUR_MS;
    await report();
    expect(await inDirectory('takes_google_pay')).toBe(1);
  });

  it('is sent on the next turn after it failed', async () => {
    const { deps, clock, inDirectory, run, reportedAt } = await makeReported();
    await run("UPDATE accounts SET name = 'Elm Dental'");
    const { reportStatus } = await import('./heartbeat.ts');
    const batch = vi.spyOn(deps.installation, 'batch').mockRejectedValueOnce(new Error('D1 is away'));
    clock.now = reportedAt + 1000;
    await expect(reportStatus(deps)).rejects.toThrow('D1 is away');
    batch.mockRestore();
    await reportStatus(deps);
    expect(await inDirectory('heard_at')).toBe(reportedAt + 1000);
  });
});

const key = (id: string) => `${id}:${btoa(id.padEnd(32, '.'))}`;

it('a status report contains each older key that a clinic still needs, even a key in no key ring', async () => {
  const { deps, installation, accountId, clock, db } = await makeWorld();
  const clinic = await addClinic(installation.db, accountId, clock.now);
  await db.$client.prepare('DELETE FROM crm_tokens').run();
  await db.$client.prepare('DELETE FROM terminals').run();
  await db.$client
    .prepare(
      `INSERT INTO crm_tokens (account_id, access_token, refresh_token, expires_at, scopes)
SELECT account_id, 'lost.a', 'new.b', 0, '' FROM accounts WHERE account_id = ?1`,
    )
    .bind(accountId)
    .run();
  const reportedKeys = async () => {
    const row = await findDirectoryRow(installation.db, clinic);
    return row?.olderKeys;
  };
  const ownDeps = { ...deps, clinic, sealer: createSealer(`${key('new')},${key('old')}`) };
  const { reportStatus } = await import('./heartbeat.ts');
  expect(await reportStatus(ownDeps)).toBeUndefined();
  expect(await reportedKeys()).toBe('lost');
});

describe('a clinic without an account', () => {
  useObjects();

  it.each([
    ['a clinic that was never connected is heard', '', true],
    ['a clinic that reported one is not heard, since its records are lost', 'Maple Street Dental', false],
  ])('reports only if it never had an account: %s', async (_title, name, isHeard) => {
    const { installation, clock } = await makeWorld();
    const number = 79_001;
    await installation.db.$client
      .prepare('INSERT INTO clinics (number, account, name, founded_at, heard_at) VALUES (?1, ?1, ?2, 1, 1)')
      .bind(number, name)
      .run();
    const clinics = openClinics(env.CLINICS);
    await clinics.found(number, number);
    await reportStatus(depsOfClinic({ ...installation, clinics }, number));
    expect((await findDirectoryRow(installation.db, number))?.heardAt).toBe(isHeard ? clock.now : 1);
    await clinics.erase(number);
  });
});
