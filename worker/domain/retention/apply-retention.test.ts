import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { insertRow } from '#tests/support/unit/insert-row';
import { makeWorld, type World } from '#tests/support/unit/world';
import { signatureKey } from '#worker/data/preview/signatures';
import { MAX_ROWS } from '#worker/data/retention/expired-rows';
import { fileLifetimes } from '#worker/data/retention/file-lifetimes';
import { type AgeRule, type DeclaredTable, TWO_YEARS } from '#worker/data/schema/table';
import { clinicTables, installationTables } from '#worker/data/schema/tables';
import { readReceipt, readReceiptSignature } from '#worker/domain/mail/receipt';
import { takePayment } from '#worker/domain/payments/take-payment';
import { applyRetention } from './apply-retention.ts';

const DAY = 86_400_000;

type Values = Record<string, string | number | null>;
/** The values, besides its time, that a row of each table needs to be valid and to match its rule. */
const samples: Record<string, (world: World, id: string) => Values> = {
  crm_tokens: ({ accountId }) => ({ account_id: accountId, access_token: 'k1.a', refresh_token: 'k1.r' }),
  invoices: ({ accountId }, id) => ({ account_id: accountId, invoice_id: id, contact_last_name: 'Núñez' }),
  contacts: ({ accountId }, id) => ({ account_id: accountId, contact_id: id }),
  companies: ({ accountId }, id) => ({ account_id: accountId, company_id: id }),
  pay_links: ({ accountId, invoiceId }, id) => ({
    pay_id: id,
    account_id: accountId,
    invoice_id: invoiceId,
    state: 'ended',
  }),
  page_views: ({ accountId, invoiceId }, id) => ({ account_id: accountId, invoice_id: invoiceId, load_id: id }),
  payment_attempts: ({ accountId }, id) => ({
    id,
    account_id: accountId,
    receipt_id: id,
    state: 'declined',
    ip_key: 'f00',
  }),
  gateway_transactions: ({ accountId }, id) => ({ account_id: accountId, provider_txn_id: id }),
  outbox: ({ clock }, id) => ({ id, state: 'sent', created_at: clock.now, sent_at: clock.now }),
  mail_events: (_world, id) => ({ id }),
  mail_addresses: ({ accountId }, id) => ({ account_id: accountId, address: id, why: 'bounced' }),
  crm_writes: ({ accountId }, id) => ({ id, account_id: accountId, attempt_id: 'old', state: 'written' }),
  reminders: ({ accountId }, id) => ({
    id,
    account_id: accountId,
    invoice_id: id,
    step: 0,
    state: 'void',
    day: '2026-03-04',
  }),
  reminder_opt_outs: ({ accountId }, id) => ({ token: id, account_id: accountId, address: id }),
  mailings: ({ accountId }, id) => ({ id, account_id: accountId }),
  mailing_invoices: ({ accountId }, id) => ({ mailing_id: id, invoice_id: id, account_id: accountId }),
  refused_tokens: (_world, id) => ({ token_hash: id }),
  refused_keys: ({ accountId, invoiceId }, id) => ({ account_id: accountId, invoice_id: invoiceId, attempt_key: id }),
  mail_days: ({ accountId }) => ({ account_id: accountId, mails: 1 }),
  users: ({ accountId }, id) => ({ account_id: accountId, user_id: Number(id), email: 'staff@clinic.example' }),
  invitations: ({ accountId }, id) => ({ id, account_id: accountId, role: 'desk', secret_hash: id }),
  content_users: (_world, id) => ({ id, email: id, status: 'pending' }),
  content_sessions: (_world, id) => ({ id, user_id: 'writer', companion_hash: id }),
  content_resets: (_world, id) => ({ id, user_id: 'writer', token_hash: id }),
  content_invitations: (_world, id) => ({ id, email: id, token_hash: id }),
  article_drafts: (_world, id) => ({ user_id: 'writer', article_id: id }),
  resolutions: ({ accountId }, id) => ({ id, account_id: accountId, attempt_id: 'old' }),
  reversals: (_world, id) => ({ id, attempt_id: 'old', request_key: id, reason: 'Billed twice', state: 'approved' }),
  reversal_resolutions: ({ accountId }, id) => ({ id, account_id: accountId, reversal_id: 'old' }),
  merchant_logs: ({ accountId }, id) => ({ account_id: accountId, message_hash: id }),
  sessions: ({ accountId }, id) => ({ id, account_id: accountId, user_id: 1, companion_hash: id }),
  handoff_codes: ({ accountId }, id) => ({ code_hash: id, account_id: accountId }),
  login_codes: (_world, id) => ({ id }),
  factor_codes: ({ accountId }, id) => ({ id, account_id: accountId }),
  taken_challenges: (_world, id) => ({ challenge: id }),
  approvals: ({ accountId }, id) => ({
    id,
    account_id: accountId,
    attempt_id: 'old',
    request_key: id,
    state: 'refused',
  }),
  support_views: ({ accountId }, id) => ({ id, account_id: accountId, granted_by: 1 }),
  login_states: (_world, id) => ({ state_hash: id }),
  content_throttles: (_world, id) => ({ key: id }),
  articles: (_world, id) => ({ id, kind: 'page', slug: `~${id}~old`, status: 'DRAFT' }),
  declines: (_world, id) => ({ ip_key: id }),
  alerts: (_world, id) => ({ key: id }),
  operator_sessions: (_world, id) => ({ id, operator_id: 'o', token_hash: id }),
  operator_codes: (_world, id) => ({ code_hash: id }),
  operator_challenges: (_world, id) => ({ challenge: id }),
  monitor_findings: (_world, id) => ({ id, source: 'inside', closed_as: 'gone' }),
};
/** Further values for rules that apply only to some rows of their table. */
const extraValues: Record<string, Values> = {
  'gateway_transactions blank': { payer: 'MARTA NUNEZ' },
  'gateway_transactions delete': { payer: '' },
  'outbox blank': { details: '{"token":"k1.x.y"}' },
};

const ageRulesOf = (scope: 'deps' | 'installation', tables: readonly DeclaredTable[]) =>
  tables.flatMap(({ name: table, lifetime }) =>
    lifetime.rules
      .filter((rule): rule is AgeRule => 'ms' in rule && !('apart' in rule))
      .map((rule) => [`${table}: ${rule.does} after ${rule.column}`, scope, table, rule] as const),
  );
const ageRules = [...ageRulesOf('deps', clinicTables), ...ageRulesOf('installation', installationTables)];

async function makeWorldWithParentRows(): Promise<World> {
  const world = await makeWorld();
  const { accountId } = world;
  await insertRow(env.DB, 'payment_attempts', {
    id: 'old',
    account_id: accountId,
    state: 'approved',
    receipt_id: 'old',
  });
  await insertRow(env.DB, 'reversals', { id: 'old', attempt_id: 'old', state: 'approved', reason: '' });
  await insertRow(env.DB, 'merchants', { account_id: accountId, status: 'boarded' });
  await insertRow(env.DB, 'users', { account_id: accountId, user_id: 1, email: '', last_login_at: 0 });
  await insertRow(env.INSTALLATION, 'content_users', { id: 'writer', email: 'w', status: 'active' });
  await env.DB.prepare('DELETE FROM crm_tokens').run();
  // The grant's row is kept until all copies of CRM records are marked as deleted.
  await env.DB.prepare('UPDATE invoices SET deleted_at = ?').bind(world.clock.now).run();
  return world;
}

const count = (table: string, condition = 'true', db = env.DB) =>
  db.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`).first<number>('n');

describe('a retention rule', () => {
  it.each(ageRules)('removes only the row past its period: %s (%s)', async (name, scope, table, rule) => {
    const world = await makeWorldWithParentRows();
    const db = scope === 'deps' ? env.DB : env.INSTALLATION;
    const sample = samples[table];
    if (!sample) throw new Error(`this test needs a sample of ${table}`);
    const at = world.clock.now - rule.ms;
    const times = { '71': at - 1, '72': at, '73': at + DAY };
    // An account has only one grant.
    const rows = Object.entries(times).slice(0, table === 'crm_tokens' ? 1 : 3);
    for (const [id, time] of rows) {
      await insertRow(db, table, {
        ...sample(world, id),
        ...extraValues[`${table} ${rule.does}`],
        [rule.column]: time,
      });
    }
    const condition = `${rule.column} IN (${at - 1}, ${at}, ${at + DAY}) AND ${rule.when ?? 'true'}`;
    expect(await count(table, condition, db), name).toBe(rows.length);
    for (const _run of [1, 2]) {
      await applyRetention(world[scope]);
      expect(await count(table, condition, db)).toBe(rows.length - 1);
      expect(await count(table, `${condition} AND ${rule.column} < ${at}`, db)).toBe(0);
    }
  });

  it('removes a bounded number of rows per run, and all of them over several runs', async () => {
    const world = await makeWorld();
    const rows = Array.from({ length: MAX_ROWS + 5 }, (_, n) => `('s${n}', 'v', ${world.clock.now - 1 - n})`);
    await env.INSTALLATION.prepare(
      `INSERT INTO login_states (state_hash, verifier, ends_at) VALUES ${rows.join(', ')}`,
    ).run();
    for (const [remainingRows, nextRunAt] of [[5, world.clock.now + 10_000] as const, [0, undefined] as const]) {
      expect(await applyRetention(world.installation)).toBe(nextRunAt);
      expect(await count('login_states', 'true', env.INSTALLATION)).toBe(remainingRows);
    }
  });

  it('keeps the newest 100 builds', async () => {
    const world = await makeWorld();
    const rows = Array.from({ length: 103 }, (_, n) => `('b${n}', 1, ${n}, ${n})`);
    await env.INSTALLATION.prepare(
      `INSERT INTO site_builds (id, revision, requested_at, reported_at) VALUES ${rows.join(', ')}`,
    ).run();
    await applyRetention(world.installation);
    expect(await count('site_builds', 'true', env.INSTALLATION)).toBe(100);
    expect(await count('site_builds', 'requested_at < 3', env.INSTALLATION)).toBe(0);
  });
});

async function makePayment(world: World) {
  await takePayment(world.deps, world.payId, paymentForm({}), { clientIp: '203.0.113.9' });
  const [attempt] = await world.attempts();
  if (!attempt) throw new Error('no attempt');
  return attempt;
}
/** The records of the money, which must be kept after the payer's data is removed. */
const moneyRecords = async (world: World) => ({
  ledger: await world.ledger(),
  totals: (await env.DB.prepare('SELECT * FROM daily_totals').all()).results,
  attempts: (await world.attempts()).map(({ id, state, amountCents, tokenHash, dedupeKey, attemptKey, receiptId }) => ({
    id,
    state,
    amountCents,
    tokenHash,
    dedupeKey,
    attemptKey,
    receiptId,
  })),
  status: (await world.invoiceRow())?.localStatus,
});

describe('the payer’s own data', () => {
  it('are removed with the signature two years after a payment ends; its amounts and receipt stay', async () => {
    const world = await makeWorld();
    const attempt = await makePayment(world);
    const before = await moneyRecords(world);
    const key = signatureKey(world.accountId, attempt.id);
    world.clock.now = (attempt.settledAt ?? 0) + TWO_YEARS;
    await applyRetention(world.deps);
    expect(await env.MEDIA.head(key)).not.toBeNull();
    expect((await world.attempts())[0]).toMatchObject({ payerLastName: attempt.payerLastName, ipKey: '' });
    world.clock.now += 1;
    await applyRetention(world.deps);
    expect(await env.MEDIA.head(key)).toBeNull();
    const text = JSON.stringify(await world.attempts());
    for (const value of [attempt.payerLastName, attempt.payerAddress, attempt.payerZip, attempt.receiptTo]) {
      expect(value).not.toBe('');
      expect(text).not.toContain(value);
    }
    expect(await moneyRecords(world)).toEqual(before);
    const receipt = await readReceipt(world.deps, attempt.receiptId);
    expect(receipt).toMatchObject({ amount: '$184.00 USD', status: 'Paid', customer: null, hasSignature: false });
    expect(await readReceiptSignature(world.deps, attempt.receiptId)).toBeNull();
  });

  it('stay while a payment is open or in manual review, regardless of its age', async () => {
    const world = await makeWorld();
    for (const [n, state] of ['sent', 'unknown', 'pending', 'needs_human', 'approved'].entries()) {
      await insertRow(env.DB, 'payment_attempts', {
        id: state,
        account_id: world.accountId,
        invoice_id: `i${n}`,
        receipt_id: state,
        state,
        payer_last_name: 'Núñez',
        settled_at: 1,
        created_at: 1,
      });
    }
    await applyRetention(world.deps);
    expect(await count('payment_attempts', "payer_last_name = ''")).toBe(1);
    expect(await count('payment_attempts', "payer_last_name = '' AND state = 'approved'")).toBe(1);
  });

  it('are removed without allowing a second charge of the same card token', async () => {
    const world = await makeWorld();
    const form = paymentForm({});
    await takePayment(world.deps, world.payId, form, { clientIp: null });
    world.clock.now += TWO_YEARS + 1;
    await applyRetention(world.deps);
    const charges = world.gateway.charges.length;
    const retry = await takePayment(world.deps, world.payId, form, { clientIp: null });
    expect(retry.kind).not.toBe('approved');
    expect(world.gateway.charges).toHaveLength(charges);
    expect(await world.attempts()).toHaveLength(1);
  });
});

describe('stored signatures', () => {
  it('of printed invoices are deleted with their row after two years', async () => {
    const world = await makeWorld();
    const { accountId, invoiceId } = world;
    await env.MEDIA.put('old.png', 'png');
    await insertRow(env.DB, 'invoice_signatures', {
      account_id: accountId,
      invoice_id: invoiceId,
      image_key: 'old.png',
      saved_at: world.clock.now - TWO_YEARS,
    });
    await applyRetention(world.deps);
    expect(await env.MEDIA.head('old.png')).not.toBeNull();
    world.clock.now += 1;
    await applyRetention(world.deps);
    expect(await env.MEDIA.head('old.png')).toBeNull();
    expect(await count('invoice_signatures')).toBe(0);
  });

  it('without a row are deleted once they are old; article files never are', async () => {
    const world = await makeWorld();
    const orphan = `signatures/${world.accountId}/orphan.png`;
    for (const key of [orphan, 'signatures/7/orphan.png']) await env.MEDIA.put(key, 'png');
    await env.MEDIA.put('media/picture.png', 'png');
    const ms = fileLifetimes['signatures/']?.ms ?? 0;
    world.clock.now = Date.now() + ms - DAY;
    await applyRetention(world.deps);
    expect(await env.MEDIA.head(orphan)).not.toBeNull();
    world.clock.now += 2 * DAY;
    await applyRetention(world.deps);
    expect(await env.MEDIA.head(orphan)).toBeNull();
    expect(await env.MEDIA.head('signatures/7/orphan.png')).not.toBeNull();
    expect(await env.MEDIA.head('media/picture.png')).not.toBeNull();
  });
});

describe('copies of records that the CRM no longer has', () => {
  const GONE_MS = 30 * DAY + 1;

  it('are removed together with the customer’s names on invoices', async () => {
    const world = await makeWorld();
    const row = await world.invoiceRow();
    await insertRow(env.DB, 'contacts', {
      account_id: world.accountId,
      contact_id: row?.contactId ?? '',
      deleted_at: world.clock.now - GONE_MS,
    });
    await applyRetention(world.deps);
    expect(await world.invoiceRow()).toMatchObject({ contactLastName: '', contactEmail: '', deletedAt: null });
    expect(await count('contacts')).toBe(0);
  });

  it('are removed except for invoices with a payment, which lose only their names', async () => {
    const world = await makeWorld();
    await makePayment(world);
    const unreferencedInvoice = {
      account_id: world.accountId,
      invoice_id: '77',
      number: 'INV-77',
      contact_last_name: 'Sorg',
    };
    await insertRow(env.DB, 'invoices', { ...unreferencedInvoice, deleted_at: world.clock.now - GONE_MS });
    await env.DB.prepare('UPDATE invoices SET deleted_at = ?')
      .bind(world.clock.now - GONE_MS)
      .run();
    const before = await moneyRecords(world);
    await applyRetention(world.deps);
    expect(await count('invoices')).toBe(1);
    expect(await world.invoiceRow()).toMatchObject({ contactLastName: '', companyName: '', localStatus: 'paid' });
    expect(await moneyRecords(world)).toEqual(before);
  });

  it('count as gone 30 days after disconnection, and the grant is deleted with the last of them', async () => {
    const world = await makeWorld();
    await makePayment(world);
    const before = await moneyRecords(world);
    const otherAccount = { account_id: 7, name: '', domain: '', time_zone: 'UTC' };
    await insertRow(env.DB, 'accounts', otherAccount);
    for (const account_id of [world.accountId, 7]) await insertRow(env.DB, 'contacts', { account_id, contact_id: '1' });
    await env.DB.prepare('UPDATE crm_tokens SET revoked_at = ?').bind(world.clock.now).run();
    world.clock.now += 30 * DAY;
    await applyRetention(world.deps);
    expect(await count('contacts', 'deleted_at IS NULL')).toBe(2);
    world.clock.now += 1;
    await applyRetention(world.deps);
    expect(await count('contacts', 'deleted_at IS NULL')).toBe(1);
    expect(await count('crm_tokens')).toBe(0);
    world.clock.now += GONE_MS;
    await applyRetention(world.deps);
    expect(await env.DB.prepare('SELECT account_id FROM contacts').first('account_id')).toBe(7);
    expect(await world.invoiceRow()).toMatchObject({ contactLastName: '', localStatus: 'paid' });
    expect(await moneyRecords(world)).toEqual(before);
  });
});
