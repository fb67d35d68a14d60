import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readMigrations } from '#tests/money/cluster/migrations';
import { testSettings } from '#tests/support/unit/settings';
import { readEnv } from '#worker/env';
import { checkKeys } from './check-keys.ts';

const NOW = Date.UTC(2026, 10, 20, 10);
const DAY = 86_400_000;
const key = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
const settings = readEnv({
  ...testSettings('https://vendor.test'),
  TOKEN_KEYS: `${key('k3')},${key('k2')},${key('k1')}`,
  SESSION_KEYS: `${key('s2')},${key('s1')}`,
  CAPABILITY_KEYS: `${key('c2')},${key('c1')}`,
});

/** The installation's database, with these statements. */
async function database(...statements: string[]) {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  for (const sql of await readMigrations('installation')) db.exec(sql);
  for (const sql of statements) db.exec(sql);
  return async (sql: string) => db.prepare(sql).all();
}
/** A clinic that still needs these older keys. */
const clinic = (account: number, ...olderKeys: string[]) =>
  `INSERT INTO clinics (account, older_keys, founded_at, heard_at) VALUES (${account}, '${olderKeys.join(' ')}', 0, 0)`;
const mail = (id: string, keyId: string) =>
  `INSERT INTO outbox (id, kind, recipient, state, details, next_try_at, created_at)
   VALUES ('${id}', 'invitation', '', 'due', '{"token":"${keyId}.a.b"}', 0, 0)`;
const unused = (ring: string, id: string, since: number) =>
  `INSERT INTO retired_keys VALUES ('${ring}', '${id}', ${since})`;
const detailsByKey = async (...statements: string[]) => {
  const findings = await checkKeys(settings, await database(...statements), NOW);
  return Object.fromEntries(
    findings.map(({ label, state, detail }) => [label.split(' ')[1] ?? '', `${state}: ${detail}`]),
  );
};

describe('checking the keys of an installation', () => {
  it('counts the values that each encryption key still seals', async () => {
    const details = await detailsByKey(
      mail('a', 'k1'),
      clinic(1, 'k1', 'k2'),
      clinic(2, 'k1'),
      clinic(3),
      unused('TOKEN_KEYS', 'k2', NOW - 2 * DAY),
    );
    expect(details.k3).toBe('ok: seals new values');
    const advice = 'keep it until the schedule has resealed them';
    expect(details.k2).toBe(`ok: still seals 0 values of the installation and some of 1 clinic; ${advice}`);
    expect(details.k1).toBe(`ok: still seals 1 value of the installation and some of 2 clinics; ${advice}`);
    const { k2 } = await detailsByKey(unused('TOKEN_KEYS', 'k2', NOW - 2 * DAY));
    expect(k2).toBe('ok: seals 0 values since 2026-11-18 10:00 UTC; it may be removed');
  });

  it('requires an unused key to stay for a day, and until the scheduled job has recorded it as unused', async () => {
    const details = await detailsByKey(unused('TOKEN_KEYS', 'k2', NOW - DAY / 2));
    expect(details.k2).toBe('ok: seals 0 values since 2026-11-19 22:00 UTC; keep it to 2026-11-20 22:00 UTC');
    expect(details.k1).toContain('keep it until the schedule has recorded it');
  });

  it('reports a missing key that still seals values', async () => {
    const reason = 'and is not in the ring, so they cannot be opened; put it back';
    expect((await detailsByKey(mail('a', 'k0'))).k0).toBe(
      `wrong: seals 1 value of the installation and some of 0 clinics ${reason}`,
    );
    expect((await detailsByKey(clinic(1, 'k2'), clinic(2, 'k2', 'k0'))).k0).toBe(
      `wrong: seals 0 values of the installation and some of 1 clinic ${reason}`,
    );
  });

  it('lets a session signing key go once the longest token it signed has expired', async () => {
    const { s1, s2 } = await detailsByKey(unused('SESSION_KEYS', 's1', NOW - 180 * DAY));
    expect(s2).toBe('ok: signs new values');
    expect(s1).toBe(
      'ok: signs nothing since 2026-05-24 10:00 UTC; what it signed lasts until 2026-11-21 10:00 UTC, then it may be removed',
    );
    expect((await detailsByKey(unused('SESSION_KEYS', 's1', NOW - 181 * DAY))).s1).toContain('it may be removed');
  });

  it('requires keys that sign receipt and pay link addresses to stay as long as receipts', async () => {
    const { c1, c2 } = await detailsByKey();
    expect(c2).toBe('ok: signs new values');
    expect(c1).toBe('ok: signed receipts and pay links that name their clinic; keep it as long as receipts');
  });

  it('reports keys as not checked when the database does not answer', async () => {
    const [first, ...rest] = await checkKeys(settings, () => Promise.reject(new Error('no such table')), NOW);
    expect(first).toMatchObject({ state: 'not-checked', detail: expect.stringContaining('no such table') });
    expect(rest).toEqual([]);
  });
});
