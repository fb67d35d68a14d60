import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { insertRow } from '#tests/support/unit/insert-row';
import { makeWorld, type World } from '#tests/support/unit/world';
import { findTokens } from '#worker/data/crm-sync/tokens';
import { addClinic } from '#worker/data/directory/clinics';
import { readStatusReport, saveStatusReport } from '#worker/data/directory/status-reports';
import { COUNT_BY_KEY } from '#worker/data/keys/sealed-values';
import type { Deps } from '#worker/deps';
import { withCrm } from '#worker/domain/crm-sync/access';
import { boundTo, createSealer } from '#worker/security/token-cipher';
import { recordUnusedKeys, resealSecrets } from './reseal.ts';

const toBase64Key = (text: string) => btoa(text.padEnd(32, '.'));
const OLD = `old:${toBase64Key('the first key')}`;
const NEW = `new:${toBase64Key('the second key')}`;
const RING = `${NEW},${OLD}`;

/** Deps of a Worker with these key rings. */
const withKeys = (deps: Deps, tokenKeys: string, sessionKeys = deps.settings.SESSION_KEYS): Deps => ({
  ...deps,
  sealer: createSealer(tokenKeys),
  settings: { ...deps.settings, TOKEN_KEYS: tokenKeys, SESSION_KEYS: sessionKeys },
});

/** Runs the clinic's alarm, which reports to the directory, and then the installation's cron. */
async function runAlarmAndCron(world: World, tokenKeys: string, sessionKeys?: string): Promise<void> {
  const { accountId, clock, installation } = world;
  const deps = withKeys(world.deps, tokenKeys, sessionKeys);
  const clinic = await addClinic(installation.db, accountId, clock.now);
  const olderKeys = (await resealSecrets(deps)).inUse.join(' ');
  const statusReport = await readStatusReport(world.db);
  if (statusReport)
    await saveStatusReport(installation.db, clinic, statusReport, { heardAt: clock.now, schema: 1, olderKeys });
  await recordUnusedKeys(withKeys(installation, tokenKeys, sessionKeys));
}

const countByKey = async () =>
  Object.fromEntries(
    (await env.DB.prepare(COUNT_BY_KEY).all<{ key_id: string; n: number }>()).results.map(({ key_id, n }) => [
      key_id,
      n,
    ]),
  );
const listRetiredKeys = async () =>
  (await env.INSTALLATION.prepare('SELECT ring, key_id, unused_since FROM retired_keys ORDER BY ring').all()).results;

/** Adds accounts, each with a grant and a terminal that are sealed with the old key. */
async function seedAccounts(deps: Deps, accounts: number, expiresAt: number): Promise<number[]> {
  const sealer = createSealer(OLD);
  const ids = Array.from({ length: accounts }, (_, n) => 500_000 + n);
  const rows = await Promise.all(
    ids.map(async (id) => ({
      id,
      access: await sealer.seal(`a0-${id}`, boundTo.accessToken(id)),
      refresh: await sealer.seal(`r0-${id}`, boundTo.refreshToken(id)),
      key: await sealer.seal(`key-${id}`, boundTo.apiKey(id, 'T')),
    })),
  );
  const json = JSON.stringify(rows);
  await deps.db.$client.batch(
    [
      `INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) SELECT value ->> 'id', '', '', 'UTC', 0 FROM json_each(?1)`,
      `INSERT INTO crm_tokens (account_id, access_token, refresh_token, expires_at, scopes)
        SELECT value ->> 'id', value ->> 'access', value ->> 'refresh', ${expiresAt}, '' FROM json_each(?1)`,
      `INSERT INTO terminals (account_id, terminal_id, name, channel, public_key, api_key, created_at)
        SELECT value ->> 'id', 'T', '', 'ecommerce', '', value ->> 'key', 0 FROM json_each(?1)`,
    ].map((sql) => deps.db.$client.prepare(sql).bind(json)),
  );
  return ids;
}

async function makeEmptyWorld() {
  const world = await makeWorld();
  for (const table of ['crm_tokens', 'terminals']) await env.DB.prepare(`DELETE FROM ${table}`).run();
  return world;
}

describe('a rotation of TOKEN_KEYS', () => {
  it('completes while 1,000 rows are read and refreshed, with no failed read and no lost refresh', async () => {
    const world = await makeEmptyWorld();
    const deps = withKeys(world.deps, RING);
    const ids = await seedAccounts(deps, 500, world.clock.now + 3_600_000);
    expect(await countByKey()).toEqual({ old: 1500 });
    /** The last refresh token that the CRM issued per account; it accepts no other. */
    const issuedTokens = new Map<string, string>();
    deps.crm.refreshTokens = async (refreshToken) => {
      const [, id = ''] = refreshToken.split('-');
      const next = `r${Number(refreshToken.slice(1).split('-')[0]) + 1}-${id}`;
      if ((issuedTokens.get(id) ?? `r0-${id}`) !== refreshToken) throw new Error(`a used refresh token of ${id}`);
      issuedTokens.set(id, next);
      await env.DB.prepare('SELECT 1').first();
      return { accessToken: next.replace('r', 'a'), refreshToken: next, expiresInS: 3600, scopes: [] };
    };
    let reads = 0;
    /** Calls the CRM for an account. `isDue`: true if its access token has expired and must be refreshed. */
    const callCrmFor = async (id: number, isDue: boolean, callDeps: Deps = deps) => {
      const row = await findTokens(deps.db, id);
      if (!row) throw new Error('no tokens');
      const token = await withCrm(callDeps, isDue ? { ...row, expiresAt: 0 } : row, async (access) => access);
      expect(token).toMatch(new RegExp(`^a\\d+-${id}$`));
      reads += 1;
    };
    const openKey = async (id: number) => {
      const sealed = await env.DB.prepare('SELECT api_key FROM terminals WHERE account_id = ?')
        .bind(id)
        .first<string>('api_key');
      expect(await deps.sealer.open(sealed ?? '', boundTo.apiKey(id, 'T'))).toBe(`key-${id}`);
      reads += 1;
    };
    // The previous version of the Worker can already open with both keys but still seals with the old one.
    const previousVersion = withKeys(deps, `${OLD},${NEW}`);
    let runs = 0;
    for (; runs < 40 && (runs === 0 || 'old' in (await countByKey())); runs += 1) {
      const sample = ids.filter((_id, index) => index % 20 === runs % 20);
      await Promise.all([
        resealSecrets(deps),
        resealSecrets(deps),
        ...sample.map((id, index) => callCrmFor(id, index % 2 === 0)),
        ...(runs < 3 ? ids.slice(0, 20).map((id) => callCrmFor(id, true, previousVersion)) : []),
        ...sample.map(openKey),
      ]);
    }
    expect(await countByKey()).toEqual({ new: 1500 });
    expect(issuedTokens.size).toBeGreaterThan(100);
    for (const id of ids) {
      const row = await findTokens(deps.db, id);
      const newSealer = createSealer(NEW);
      expect(await newSealer.open(row?.refreshToken ?? '', boundTo.refreshToken(id))).toBe(
        issuedTokens.get(String(id)) ?? `r0-${id}`,
      );
    }
    console.log(
      `1,500 values of 1,000 rows sealed anew in ${runs} runs beside ${reads} reads, ${issuedTokens.size} accounts refreshed`,
    );
  }, 120_000);

  it('does not overwrite a token that the CRM renewed between read and write', async () => {
    const world = await makeEmptyWorld();
    const deps = withKeys(world.deps, RING);
    const [id = 0] = await seedAccounts(deps, 1, 0);
    const newerToken = await deps.sealer.seal('r1', boundTo.refreshToken(id));
    const slowDeps: Deps = {
      ...deps,
      sealer: {
        ...deps.sealer,
        seal: async (plain, place) => {
          await env.DB.prepare('UPDATE crm_tokens SET refresh_token = ?, version = 2').bind(newerToken).run();
          return deps.sealer.seal(plain, place);
        },
      },
    };
    await resealSecrets(slowDeps);
    expect(await env.DB.prepare('SELECT refresh_token FROM crm_tokens').first('refresh_token')).toBe(newerToken);
    await resealSecrets(deps);
    expect(await countByKey()).toEqual({ new: 3 });
    expect((await findTokens(deps.db, id))?.version).toBe(2);
  });

  it('reseals an email that is still due, and skips one already sent', async () => {
    const world = await makeEmptyWorld();
    const deps = withKeys(world.deps, RING);
    for (const state of ['due', 'sent']) {
      const token = await createSealer(OLD).seal('token', boundTo.mail(state));
      await insertRow(env.DB, 'outbox', {
        id: state,
        kind: 'invitation',
        state,
        details: JSON.stringify({ token, role: 'editor' }),
      });
    }
    await resealSecrets(deps);
    const { results } = await env.DB.prepare('SELECT details FROM outbox ORDER BY id').all<{ details: string }>();
    const [dueMail, sentMail] = results.map(({ details }) => JSON.parse(details) as { token: string; role: string });
    expect(dueMail?.role).toBe('editor');
    expect(await createSealer(NEW).open(dueMail?.token ?? '', boundTo.mail('due'))).toBe('token');
    expect(sentMail?.token).toMatch(/^old\./);
    expect(await countByKey()).toEqual({ new: 1 });
  });

  it('skips a row that cannot be opened, with an alert, and does not mark its key as unused', async () => {
    const world = await makeEmptyWorld();
    const deps = withKeys(world.deps, RING);
    const ids = await seedAccounts(deps, 3, 0);
    await env.DB.prepare("UPDATE terminals SET api_key = 'old.AAAA.AAAA' WHERE account_id = ?").bind(ids[1]).run();
    await runAlarmAndCron(world, RING);
    await runAlarmAndCron(world, RING);
    expect(await countByKey()).toEqual({ new: 8, old: 1 });
    expect(world.logs.filter((line) => line === 'ALERT secret-not-resealed')).toHaveLength(2);
    expect(await listRetiredKeys()).toEqual([]);
  });
});

describe('the mark of an unused key', () => {
  it('is set once nothing is sealed with the key, and removed when it is used again', async () => {
    const world = await makeEmptyWorld();
    const deps = withKeys(world.deps, RING);
    const [id = 0] = await seedAccounts(deps, 1, 0);
    await runAlarmAndCron(world, RING);
    expect(await listRetiredKeys()).toEqual([]);
    world.clock.now += 60_000;
    await runAlarmAndCron(world, RING);
    const expectedMark = { ring: 'TOKEN_KEYS', key_id: 'old', unused_since: world.clock.now };
    world.clock.now += 60_000;
    await runAlarmAndCron(world, RING);
    expect(await listRetiredKeys()).toEqual([expectedMark]);
    const lateSecret = await createSealer(OLD).seal('late', boundTo.apiKey(id, 'T'));
    await env.DB.prepare('UPDATE terminals SET api_key = ?').bind(lateSecret).run();
    await runAlarmAndCron(world, RING);
    expect(await listRetiredKeys()).toEqual([]);
    await runAlarmAndCron(world, RING);
    expect(await listRetiredKeys()).toEqual([{ ...expectedMark, unused_since: world.clock.now }]);
  });

  it('is absent while a clinic has been silent for so long that the keys it needs are unknown', async () => {
    const world = await makeEmptyWorld();
    const { clock, installation } = world;
    await seedAccounts(withKeys(world.deps, RING), 1, 0);
    // This clinic last reported before there was a new key.
    const silentClinic = await addClinic(installation.db, 4711, clock.now);
    await runAlarmAndCron(world, RING);
    clock.now += 60_000;
    await runAlarmAndCron(world, RING);
    expect(await listRetiredKeys()).toHaveLength(1);
    clock.now += 12 * 3_600_000;
    await runAlarmAndCron(world, RING);
    expect(await listRetiredKeys()).toEqual([]);
    await env.INSTALLATION.prepare('UPDATE clinics SET heard_at = ? WHERE number = ?')
      .bind(clock.now, silentClinic)
      .run();
    await runAlarmAndCron(world, RING);
    expect(await listRetiredKeys()).toMatchObject([{ key_id: 'old', unused_since: clock.now }]);
  });

  it('is set for a session key when another key signs, and set anew if the key signed in between', async () => {
    const world = await makeEmptyWorld();
    const run = (ring: string) => runAlarmAndCron(world, OLD, ring);
    await run(OLD);
    expect(await listRetiredKeys()).toEqual([]);
    await run(RING);
    const expectedMark = { ring: 'SESSION_KEYS', key_id: 'old', unused_since: world.clock.now };
    world.clock.now += 60_000;
    await run(RING);
    expect(await listRetiredKeys()).toEqual([expectedMark]);
    await run(OLD);
    expect(await listRetiredKeys()).toEqual([]);
    world.clock.now += 60_000;
    await run(`three:${toBase64Key('the third key')},${OLD}`);
    expect(await listRetiredKeys()).toEqual([{ ...expectedMark, unused_since: world.clock.now }]);
  });
});
