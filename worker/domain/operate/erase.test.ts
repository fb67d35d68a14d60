import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bearer } from '#tests/support/consent';
import { makeApp } from '#tests/support/login';
import { type ClinicWorld, clinicWorld, connectMaple, pay, useObjects } from '#tests/support/operate-world';
import { payerFields, paymentForm } from '#tests/support/pay-form';
import { isNoSuchClinic } from '#worker/clinic/no-such-clinic';
import { clinicKeysWrite } from '#worker/data/directory/clinic-keys';
import { findClinic } from '#worker/data/directory/clinics';
import { blockNewClaims, erasureBlockedUntil } from '#worker/data/operate/erase';
import { notifyOperator } from '#worker/domain/alerts/notify';
import { storeAlerts } from '#worker/domain/alerts/store-alerts';
import { sealTrails } from '#worker/domain/audit/seal';
import { reportStatus } from '#worker/domain/clinics/heartbeat';
import { findOrCreateClinic } from '#worker/domain/merchants/clinic-of-account';
import { boardTerminal } from '#worker/domain/merchants/connect';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { takePayment } from '#worker/domain/payments/take-payment';
import { eraseClinic } from './erase.ts';
import { recordCall } from './trail.ts';

useObjects();

const DAY_MS = 86_400_000;
const HUNDRED_DAYS_MS = 100 * 86_400_000;
const erase = ({ installation, accountId, name }: ClinicWorld) => eraseClinic(installation, accountId, name);
/** One approval request per payment; a person can decide on it until `endsAt` (UTC ms). */
const approvalSql = (state: string, endsAt: number) => `INSERT INTO approvals
  (id, account_id, attempt_id, kind, amount_cents, reason, request_key, requested_by, requested_at, ends_at, state, next_try_at)
SELECT 'x' || id, account_id, id, 'refund', 100, '', id, 1, 1, ${endsAt}, '${state}', 2 FROM payment_attempts`;
const runSql = (world: ClinicWorld, text: string) => world.clinicDeps.db.$client.prepare(text).run();

/** Every row of every table of the installation, as text. */
async function dumpOfInstallation(): Promise<string> {
  const { results } = await env.INSTALLATION.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const dumps = await Promise.all(
    results.map(async ({ name }) => (await env.INSTALLATION.prepare(`SELECT * FROM "${name}"`).all()).results),
  );
  return JSON.stringify(dumps);
}

async function dumpOfBucket(bucket: R2Bucket): Promise<Record<string, string>> {
  const { objects } = await bucket.list();
  return Object.fromEntries(
    await Promise.all(objects.map(async ({ key }) => [key, (await (await bucket.get(key))?.text()) ?? ''] as const)),
  );
}

describe('erasing a clinic', () => {
  it.each([
    ['a payment that was sent', "UPDATE payment_attempts SET state = 'sent'"],
    ['an unknown payment', "UPDATE payment_attempts SET state = 'unknown'"],
    ['a payment that is pending', "UPDATE payment_attempts SET state = 'pending'"],
    ['a payment in manual review', "UPDATE payment_attempts SET state = 'needs_human'"],
    [
      'a debit that may be returned',
      "UPDATE payment_attempts SET method = 'ach', settled_at = settled_at + 8000000000",
    ],
    [
      'a batch that is being closed',
      `INSERT INTO batch_closes (account_id, terminal_id, batch_id, state, requested_by, requested_at)
SELECT account_id, terminal_id, '1', 'processing', 1, 1 FROM terminals`,
    ],
    ['a refund that waits for a second person', approvalSql('waiting', 9_000_000_000_000)],
    ['a refund that was approved but not started', approvalSql('approved', 2)],
  ])('is refused for %s, and the clinic keeps working', async (_title, change) => {
    const world = await clinicWorld();
    await pay(world, 1);
    world.clock.now += HUNDRED_DAYS_MS;
    await runSql(world, 'DROP TRIGGER payment_attempts_moves');
    await runSql(world, change);
    const outcome = await erase(world);
    expect(outcome.kind).toBe('stands');
    expect(await findClinic(world.installation.installation, world.accountId)).toBe(world.clinicDeps.clinic);
    expect((await env.MEDIA.list({ prefix: 'kept/' })).objects).toEqual([]);
    await pay(world, 1);
  });

  it('is refused while a batch is open at the gateway or the gateway does not answer', async () => {
    const world = await clinicWorld();
    const openBatch = { status: 'open', salesCount: 1, refundCount: 0 };
    world.installation.gateway.listBatches = async () => [openBatch as never];
    expect(await erase(world)).toMatchObject({ kind: 'stands', reasons: ['1 batches are open'] });
    world.installation.gateway.listBatches = async () => 'unavailable';
    expect((await erase(world)).kind).toBe('stands');
    world.installation.gateway.listBatches = async () => [{ ...openBatch, salesCount: 0 } as never];
    expect((await erase(world)).kind).toBe('erased');
  });

  it('is refused until the last check of a payment released as not charged', async () => {
    const world = await clinicWorld();
    await pay(world, 1);
    await runSql(world, 'DROP TRIGGER payment_attempts_moves');
    await runSql(world, 'DROP TRIGGER ledger_keeps_all');
    await runSql(world, 'DELETE FROM ledger');
    const { now } = world.clock;
    await runSql(
      world,
      `UPDATE payment_attempts SET state = 'not_charged', settled_at = ${now}, next_check_at = ${now + DAY_MS}`,
    );
    const outcome = await erase(world);
    const day = new Date(now + DAY_MS).toISOString().slice(0, 10);
    expect(outcome).toMatchObject({
      kind: 'stands',
      reasons: [expect.stringContaining(`looked up once more by ${day}`)],
    });
    world.clock.now += 8 * DAY_MS;
    expect((await erase(world)).kind).toBe('erased');
  });

  it('requires the clinic’s name', async () => {
    const world = await clinicWorld();
    expect(await eraseClinic(world.installation, world.accountId, 'Elm Street')).toEqual({
      kind: 'other-name',
      name: world.name,
    });
    expect(await eraseClinic(world.installation, 4713, '')).toEqual({ kind: 'not-found' });
  });

  it('leaves only the evidence without payer data and one directory row', async () => {
    const world = await clinicWorld();
    const { accountId, clinicDeps, installation } = world;
    await pay(world, 2);
    await env.MEDIA.put(`signatures/${accountId}/a.png`, 'png');
    await env.MEDIA.put('signatures/1/other.png', 'png');
    await installation.db.$client
      .prepare(
        "INSERT INTO handoff_codes (code_hash, state_hash, account_id, user_id, email, ends_at) VALUES ('t', 's', ?, 1, 'marta@example.test', 9)",
      )
      .bind(accountId)
      .run();
    await recordCall(installation, { route: 'GET /api/operate/clinics/:account', account: accountId, clinic: -1 });
    const { now: at } = world.clock;
    installation.raised.push(
      { event: 'payment-contradicted', fields: { accountId: accountId + 1, attemptId: 'a2' }, at },
      { event: 'payment-contradicted', fields: { accountId, attemptId: 'a1' }, at },
      { event: 'crm-grant-revoked', fields: { accountId }, at },
    );
    await storeAlerts(installation);
    await notifyOperator({
      ...installation,
      settings: { ...installation.settings, ALERT_MAIL_TO: 'ops@operator.example' },
    });
    await sealTrails(clinicDeps);
    world.clock.now += HUNDRED_DAYS_MS;

    const outcome = await erase(world);
    expect(outcome).toMatchObject({ kind: 'erased', erased: { kept: `kept/${clinicDeps.clinic}/`, pictures: 3 } });

    const traces = [String(accountId), 'marta', 'Marta', 'Núñez', world.name, 'maple'];
    const databases = await dumpOfInstallation();
    const files = await dumpOfBucket(env.MEDIA);
    const otherFiles = Object.entries(files).filter(([key]) => !key.startsWith('kept/'));
    for (const trace of traces) {
      expect(databases.includes(trace), `${trace} in the installation's database`).toBe(false);
      expect(JSON.stringify(otherFiles).includes(trace), `${trace} in the bucket`).toBe(false);
    }
    const evidence = JSON.stringify(files);
    for (const payer of ['marta@', 'Marta', 'Núñez']) expect(evidence).not.toContain(payer);
    expect(evidence).toContain('18400');
    expect(Object.keys(files)).toContain(`kept/${clinicDeps.clinic}/manifest.json`);
    expect(otherFiles.map(([key]) => key)).toEqual(['signatures/1/other.png']);
    await runInDurableObject(env.CLINICS.getByName(String(clinicDeps.clinic)), async (_, { storage }) => {
      const tables = storage.sql.exec("SELECT name FROM sqlite_schema WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'");
      expect(tables.toArray()).toEqual([]);
      expect(await storage.getAlarm()).toBeNull();
    });
    const alerts = await env.INSTALLATION.prepare('SELECT key, accounts, closed_as FROM alerts ORDER BY key').all();
    expect(alerts.results).toEqual([
      { key: 'crm-grant-revoked', accounts: 0, closed_as: 'over' },
      { key: 'payment-contradicted', accounts: 1, closed_as: '' },
    ]);
    // Keys that a late run of the clinic's alarm reports are not stored.
    await clinicKeysWrite(installation.installation, clinicDeps.clinic, [{ kind: 'terminal', key: 't-late' }]);
    expect(await dumpOfInstallation()).not.toContain('t-late');
    const row = await env.INSTALLATION.prepare('SELECT * FROM clinics').first();
    expect(row).toMatchObject({ number: clinicDeps.clinic, account: null, name: '', erased_at: world.clock.now });

    // Accessing the clinic by its valid number creates nothing.
    const failed = await clinicDeps.db.query.payLinks.findFirst().catch((cause: unknown) => cause);
    expect(isNoSuchClinic(failed)).toBe(true);
    expect((await erase(world)).kind).toBe('not-found');
  });

  it('makes formerly valid ids unknown, and their use creates no storage', async () => {
    const world = await clinicWorld();
    await pay(world, 1);
    world.clock.now += HUNDRED_DAYS_MS;
    const { receiptId } = (await world.clinicDeps.db.query.paymentAttempts.findFirst()) ?? {};
    const session = { sessionId: 's', accountId: world.accountId, userId: 7, clinic: world.clinicDeps.clinic };
    const token = await world.clinicDeps.accessTokens.issue(session, Date.now());
    const refresh = world.clinicDeps.newCapability();
    expect((await erase(world)).kind).toBe('erased');

    const app = makeApp({ clinics: world.installation.clinics });
    const form = JSON.stringify({ ...payerFields(), paymentType: 'card', paymentDetails: { jwt: 'a.b.c' } });
    const json = { 'content-type': 'application/json' };
    const requests: [number, string, RequestInit?][] = [
      [404, `/make/payment/${world.payId}`],
      [404, `/api/invoices/${world.payId}`],
      [404, `/api/invoices/${world.payId}/payment`],
      [404, `/api/invoices/takePaymentSDK/${world.payId}`, { method: 'POST', headers: json, body: form }],
      [404, `/receipt/${receiptId}`],
      [404, `/receipt/${receiptId}/signature.png`],
      [401, '/api/invoices', { headers: bearer(token) }],
      [401, `/api/token/status/${token}`],
      [401, '/api/refresh-access-token', { headers: { cookie: `session=${refresh}` } }],
    ];
    for (const [status, path, init] of requests) expect((await app.request(path, init)).status, path).toBe(status);
    await runInDurableObject(env.CLINICS.getByName(String(world.clinicDeps.clinic)), (_, { storage }) => {
      const tables = storage.sql.exec("SELECT name FROM sqlite_schema WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'");
      expect(tables.toArray()).toEqual([]);
    });
  });

  it('blocks payers only briefly if it is interrupted while the clinic is closed', async () => {
    const world = await clinicWorld();
    expect(await erasureBlockedUntil(world.clinicDeps.db)).toBeNull();
    await blockNewClaims(world.clinicDeps.db, world.clock.now + 15 * 60_000);
    expect(await erasureBlockedUntil(world.clinicDeps.db)).toBe(world.clock.now + 15 * 60_000);
    await expect(pay(world, 1)).rejects.toThrow('not paid');
    world.clock.now += 15 * 60_000;
    await pay(world, 1);
  });

  it('leaves the clinic unchanged when it takes longer than the clinic stays closed', async () => {
    const world = await clinicWorld();
    await pay(world, 1);
    world.clock.now += HUNDRED_DAYS_MS;
    world.installation.gateway.listBatches = async () => {
      world.clock.now += 15 * 60_000;
      return [];
    };
    expect(await erase(world)).toMatchObject({ kind: 'stands', reasons: [expect.stringContaining('took too long')] });
    expect((await env.MEDIA.list({ prefix: 'kept/' })).objects).toEqual([]);
    await pay(world, 1);
  });

  it('can be repeated after an interruption', async () => {
    const world = await clinicWorld();
    await world.installation.clinics.erase(world.clinicDeps.clinic);
    expect(await erase(world)).toMatchObject({ kind: 'erased' });
    expect(await findClinic(world.installation.installation, world.accountId)).toBeUndefined();
  });

  it('rewrites its evidence when it was interrupted before the object was erased', async () => {
    const world = await clinicWorld();
    await pay(world, 1);
    world.clock.now += HUNDRED_DAYS_MS;
    const failingClinics = { ...world.installation.clinics, erase: () => Promise.reject(new Error('died')) };
    await expect(erase({ ...world, installation: { ...world.installation, clinics: failingClinics } })).rejects.toThrow(
      'died',
    );
    const before = await dumpOfBucket(env.MEDIA);
    expect(Object.keys(before)).toContain(`kept/${world.clinicDeps.clinic}/manifest.json`);
    world.clock.now += 15 * 60_000;
    await pay(world, 1);
    world.clock.now += HUNDRED_DAYS_MS;
    expect(await erase(world)).toMatchObject({ kind: 'erased' });
    expect(await dumpOfBucket(env.MEDIA)).not.toEqual(before);
  });

  it('is refused when the account returned after an interrupted erasure, and keeps its evidence', async () => {
    const world = await clinicWorld();
    const { clinicDeps, accountId, installation } = world;
    await pay(world, 2);
    world.clock.now += HUNDRED_DAYS_MS;
    const list = () => Promise.reject(new Error('died'));
    const backups = { ...installation.backups, list } as unknown as R2Bucket;
    await expect(erase({ ...world, installation: { ...installation, backups } })).rejects.toThrow('died');
    const evidence = await dumpOfBucket(env.MEDIA);
    expect(JSON.stringify(evidence)).toContain('18400');

    const reconnected = await findOrCreateClinic(installation, accountId);
    expect(reconnected.clinic).toBe(clinicDeps.clinic);
    await connectMaple(reconnected, accountId);
    const outcome = await erase(world);
    expect(outcome).toMatchObject({ kind: 'stands', reasons: [expect.stringContaining(`kept/${clinicDeps.clinic}/`)] });
    expect(await dumpOfBucket(env.MEDIA)).toEqual(evidence);

    // An operator has moved the evidence out of the bucket.
    await env.MEDIA.delete(Object.keys(evidence));
    expect(await erase(world)).toMatchObject({ kind: 'erased' });
  });
});

describe('an account that returns after its clinic was erased', () => {
  /** Makes payments, erases the clinic, and connects the account again. */
  async function eraseAndReturn(makePayments: (world: ClinicWorld) => Promise<unknown>) {
    const world = await clinicWorld();
    const { accountId, installation, crm } = world;
    await makePayments(world);
    world.clock.now += HUNDRED_DAYS_MS;
    expect((await erase(world)).kind).toBe('erased');
    const clinicDeps = await findOrCreateClinic(installation, accountId);
    await connectMaple(clinicDeps, accountId);
    const keys = { publicKey: 'abc', apiKey: 'secret-key' };
    await boardTerminal(clinicDeps, {
      accountId,
      terminalId: `T${accountId}`,
      name: 'Web',
      channel: 'ecommerce',
      ...keys,
    });
    const link = await issuePayLink(clinicDeps, accountId, crm.invoice?.id ?? '');
    const payAgain = async (overrides = {}) =>
      link ? (await takePayment(clinicDeps, link.payId, paymentForm(overrides), { clientIp: null })).kind : 'no link';
    return { ...world, clinicDeps, payAgain };
  }

  it('takes no second payment for a paid invoice even if the CRM shows it as open', async () => {
    const world = await eraseAndReturn((firstWorld) => pay(firstWorld, 1));
    const before = world.gateway.charges.length;
    expect(await world.payAgain()).toBe('already-paid');
    expect(world.gateway.charges).toHaveLength(before);
    const invoice = await world.clinicDeps.db.query.invoices.findFirst();
    expect(invoice).toMatchObject({ localStatus: 'paid' });
    const [attempt] = await world.clinicDeps.db.query.paymentAttempts.findMany();
    expect(attempt).toMatchObject({ state: 'approved', payerLastName: '', receiptTo: '', nextCheckAt: null });
    await pay({ ...world, clinicDeps: world.clinicDeps }, 1);
  });

  it('restores its past payments once, even if it is erased and returns again', async () => {
    const world = await eraseAndReturn((firstWorld) => pay(firstWorld, 2));
    const { $client } = world.clinicDeps.db;
    const dailyTotalsSql = 'SELECT day, net_cents FROM daily_totals ORDER BY day';
    const first = (await $client.prepare(dailyTotalsSql).all()).results;
    expect(first).toEqual([expect.objectContaining({ net_cents: 36_800 })]);
    await reportStatus(world.clinicDeps);
    world.clock.now += HUNDRED_DAYS_MS;
    expect((await erase(world)).kind).toBe('erased');
    const reconnectedDeps = await findOrCreateClinic(world.installation, world.accountId);
    await connectMaple(reconnectedDeps, world.accountId);
    await connectMaple(reconnectedDeps, world.accountId);
    expect((await reconnectedDeps.db.$client.prepare(dailyTotalsSql).all()).results).toEqual(first);
  });

  it('owes only the remaining amount of an invoice in installments', async () => {
    const world = await eraseAndReturn(async (firstWorld) => {
      await pay(firstWorld, 1);
      await runSql(firstWorld, 'DROP TRIGGER payment_attempts_moves');
      await runSql(firstWorld, 'DROP TRIGGER collections_opened');
      await runSql(
        firstWorld,
        `INSERT INTO collections (account_id, invoice_id, n, base_cents, min_cents, max_installments, crm_balance_cents, crm_billed_cents,
          opened_by, opened_at) SELECT account_id, invoice_id, collection, 40000, 100, 4, 18400, 18400, 1, created_at FROM payment_attempts`,
      );
    });
    const before = world.gateway.charges.length;
    expect(await world.payAgain({ part: { amount: '500.00' } })).toBe('part-refused');
    expect(world.gateway.charges).toHaveLength(before);
    const invoice = await world.clinicDeps.db.query.invoices.findFirst();
    expect(invoice).toMatchObject({ localStatus: 'none', partBaseCents: 40_000, partPaidCents: 18_400 });
  });

  it('has no payments if it had none before', async () => {
    const world = await eraseAndReturn(async () => undefined);
    expect(await world.clinicDeps.db.query.paymentAttempts.findMany()).toEqual([]);
  });
});
