import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { insertRow } from '#tests/support/unit/insert-row';
import { makeWorld, type World } from '#tests/support/unit/world';
import { tables } from '#worker/data/retention/periods';
import type { Rule } from '#worker/data/retention/rules';
import { ROWS } from '#worker/data/retention/statements';
import { keepPeriods } from './keep-periods.ts';

const DAY = 86_400_000;

type Values = Record<string, string | number | null>;
/** What a row of each table needs beside its time, so that it may be there and its rule means it. */
const samples: Record<string, (world: World, id: string) => Values> = {
  crm_tokens: ({ accountId }) => ({ hub_id: accountId, access_token: 'k1.a', refresh_token: 'k1.r' }),
  invoices: ({ accountId }, id) => ({ hub_id: accountId, invoice_id: id, contact_last_name: 'Núñez' }),
  contacts: ({ accountId }, id) => ({ hub_id: accountId, contact_id: id }),
  companies: ({ accountId }, id) => ({ hub_id: accountId, company_id: id }),
  pay_links: ({ accountId, invoiceId }, id) => ({
    pay_id: id,
    hub_id: accountId,
    invoice_id: invoiceId,
    state: 'ended',
  }),
  payment_attempts: ({ accountId }, id) => ({
    id,
    hub_id: accountId,
    receipt_id: id,
    state: 'declined',
    ip_key: 'f00',
  }),
  gateway_transactions: ({ accountId }, id) => ({ hub_id: accountId, provider_txn_id: id }),
  outbox: ({ clock }, id) => ({ id, state: 'sent', created_at: clock.now, sent_at: clock.now }),
  users: ({ accountId }, id) => ({ hub_id: accountId, user_id: Number(id), email: 'staff@clinic.example' }),
  content_users: (_world, id) => ({ id, email: id, status: 'pending' }),
  content_sessions: (_world, id) => ({ id, user_id: 'writer', companion_hash: id }),
  content_resets: (_world, id) => ({ id, user_id: 'writer', token_hash: id }),
  content_invitations: (_world, id) => ({ id, email: id, token_hash: id }),
  article_drafts: (_world, id) => ({ user_id: 'writer', article_id: id }),
  resolutions: ({ accountId }, id) => ({ id, hub_id: accountId, attempt_id: 'old' }),
  reversals: (_world, id) => ({ id, attempt_id: 'old', request_key: id, reason: 'Billed twice', state: 'approved' }),
  reversal_resolutions: ({ accountId }, id) => ({ id, hub_id: accountId, reversal_id: 'old' }),
  merchant_logs: ({ accountId }, id) => ({ hub_id: accountId, message_hash: id }),
  sessions: ({ accountId }, id) => ({ id, hub_id: accountId, user_id: 1, companion_hash: id }),
  tickets: ({ accountId }, id) => ({ ticket_hash: id, hub_id: accountId }),
  login_states: (_world, id) => ({ state_hash: id }),
  content_throttles: (_world, id) => ({ key: id }),
  monitor_findings: (_world, id) => ({ id }),
};
/** For rules that mean only some rows of their table. */
const more: Record<string, Values> = {
  'gateway_transactions blank': { payer: 'MARTA NUNEZ' },
  'gateway_transactions delete': { payer: '' },
  'outbox blank': { details: '{"token":"k1.x.y"}' },
};

type Timed = Extract<Rule, { index: string }>;
const timed = Object.entries(tables).flatMap(([table, { rules }]) =>
  rules
    .filter((rule): rule is Timed => 'index' in rule)
    .map((rule) => [`${table}: ${rule.does} after ${rule.column}`, table, rule] as const),
);

async function withParents(): Promise<World> {
  const world = await makeWorld();
  const { accountId } = world;
  await insertRow(env.DB, 'payment_attempts', { id: 'old', hub_id: accountId, state: 'approved', receipt_id: 'old' });
  await insertRow(env.DB, 'reversals', { id: 'old', attempt_id: 'old', state: 'approved', reason: '' });
  await insertRow(env.DB, 'merchants', { hub_id: accountId, status: 'boarded' });
  await insertRow(env.DB, 'users', { hub_id: accountId, user_id: 1, email: '', last_login_at: 0 });
  await insertRow(env.DB, 'content_users', { id: 'writer', email: 'w', status: 'active' });
  await env.DB.prepare('DELETE FROM crm_tokens').run();
  // A copy that the CRM still has would keep the grant's row.
  await env.DB.prepare('UPDATE invoices SET gone_at = ?').bind(world.clock.now).run();
  return world;
}

const count = (table: string, where = 'true') =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).first<number>('n');

describe('a period of the register', () => {
  it.each(timed)('lets go the row whose time is over, and no other: %s', async (name, table, rule) => {
    const world = await withParents();
    const sample = samples[table];
    if (!sample) throw new Error(`this test needs a sample of ${table}`);
    const at = world.clock.now - rule.ms;
    const times = { '71': at - 1, '72': at, '73': at + DAY };
    // One account has one grant.
    const rows = Object.entries(times).slice(0, table === 'crm_tokens' ? 1 : 3);
    for (const [id, time] of rows) {
      await insertRow(env.DB, table, {
        ...{ ...sample(world, id), ...more[`${table} ${rule.does}`], [rule.column]: time },
      });
    }
    const isThere = `${rule.column} IN (${at - 1}, ${at}, ${at + DAY}) AND ${rule.when ?? 'true'}`;
    expect(await count(table, isThere), name).toBe(rows.length);
    for (const _run of [1, 2]) {
      await keepPeriods(world.deps);
      expect(await count(table, isThere)).toBe(rows.length - 1);
      expect(await count(table, `${isThere} AND ${rule.column} < ${at}`)).toBe(0);
    }
  });

  it('takes a bounded number of rows in a run, and all of them in several', async () => {
    const world = await makeWorld();
    const rows = Array.from({ length: ROWS + 5 }, (_, n) => `('s${n}', 'v', ${world.clock.now - 1 - n})`);
    await env.DB.prepare(`INSERT INTO login_states (state_hash, verifier, ends_at) VALUES ${rows.join(', ')}`).run();
    await keepPeriods(world.deps);
    expect(await count('login_states')).toBe(5);
    await keepPeriods(world.deps);
    expect(await count('login_states')).toBe(0);
  });

  it('keeps the newest 100 builds', async () => {
    const world = await makeWorld();
    const rows = Array.from({ length: 103 }, (_, n) => `('b${n}', 1, ${n}, ${n})`);
    await env.DB.prepare(
      `INSERT INTO site_builds (id, revision, asked_at, reported_at) VALUES ${rows.join(', ')}`,
    ).run();
    await keepPeriods(world.deps);
    expect(await count('site_builds')).toBe(100);
    expect(await count('site_builds', 'asked_at < 3')).toBe(0);
  });
});
