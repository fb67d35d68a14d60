import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { KeysInUse } from '#shared/contracts/operate';
import { readMigrations } from '#tests/money/cluster/migrations';
import { testSettings } from '#tests/support/unit/settings';
import { COUNT_BY_KEY } from '#worker/data/keys/sealed-values';
import { readEnv } from '#worker/env';
import { checkKeys } from './check-keys.ts';

const NOW = Date.UTC(2026, 10, 20, 10);
const DAY = 86_400_000;
const key = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
const settings = readEnv({
  ...testSettings('https://vendor.test'),
  ...{ TOKEN_KEYS: `${key('k3')},${key('k2')},${key('k1')}`, SESSION_KEYS: `${key('s2')},${key('s1')}` },
});

/** A migrated database, with one account whose grant k3 seals, and these statements. */
async function database(...statements: string[]) {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  for (const sql of await readMigrations([])) db.exec(sql);
  db.exec("INSERT INTO hubs (hub_id, name, domain, time_zone, connected_at) VALUES (1, '', '', 'UTC', 0)");
  db.exec(
    "INSERT INTO crm_tokens (hub_id, access_token, refresh_token, expires_at, scopes) VALUES (1, 'k3.a.b', 'k3.a.b', 0, '')",
  );
  for (const sql of statements) db.exec(sql);
  return async () => ({
    counts: db.prepare(COUNT_BY_KEY).all() as KeysInUse['counts'],
    retired: db.prepare('SELECT ring, key_id, unused_since FROM retired_keys').all() as KeysInUse['retired'],
  });
}
const terminal = (id: string, keyId: string) =>
  `INSERT INTO terminals (hub_id, terminal_id, name, channel, public_key, api_key, created_at)
   VALUES (1, '${id}', '', 'counter', '', '${keyId}.a.b', 0)`;
const unused = (ring: string, id: string, since: number) =>
  `INSERT INTO retired_keys VALUES ('${ring}', '${id}', ${since})`;
const said = async (...statements: string[]) => {
  const findings = await checkKeys(settings, await database(...statements), NOW);
  return Object.fromEntries(findings.map(({ what, state, say }) => [what.split(' ')[1] ?? '', `${state}: ${say}`]));
};

describe('the keys of an installation', () => {
  it('are counted by what they still seal', async () => {
    const found = await said(terminal('a', 'k1'), terminal('b', 'k1'), unused('TOKEN_KEYS', 'k2', NOW - 2 * DAY));
    expect(found.k3).toBe('ok: seals what is new, and 2 values that are there');
    expect(found.k2).toBe('ok: seals 0 values since 2026-11-18 10:00 UTC; it may be removed');
    expect(found.k1).toBe('ok: still seals 2 values; keep it, the schedule seals them anew');
  });

  it('stay for a day after they seal nothing, and until the schedule has noted it', async () => {
    const found = await said(unused('TOKEN_KEYS', 'k2', NOW - DAY / 2));
    expect(found.k2).toBe('ok: seals 0 values since 2026-11-19 22:00 UTC; keep it until 2026-11-20 22:00 UTC');
    expect(found.k1).toContain('keep it until the schedule has noted that');
  });

  it('are wrong where one is missing that still seals', async () => {
    expect((await said(terminal('a', 'k0'))).k0).toBe(
      'wrong: seals 1 value and is not in the ring, so they cannot be opened; put it back',
    );
  });

  it('that sign may go when the longest token they signed has ended', async () => {
    const { s1, s2 } = await said(unused('SESSION_KEYS', 's1', NOW - 180 * DAY));
    expect(s2).toBe('ok: signs what is new');
    expect(s1).toBe(
      'ok: signs nothing since 2026-05-24 10:00 UTC; what it signed lasts until 2026-11-21 10:00 UTC, then it may be removed',
    );
    expect((await said(unused('SESSION_KEYS', 's1', NOW - 181 * DAY))).s1).toContain('it may be removed');
  });

  it('are not checked where the database does not answer', async () => {
    const [one, ...others] = await checkKeys(settings, () => Promise.reject(new Error('no such table')), NOW);
    expect(one).toMatchObject({ state: 'not-checked', say: expect.stringContaining('no such table') });
    expect(others).toEqual([]);
  });
});
