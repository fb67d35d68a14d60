import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { paidWorld } from '#tests/support/unit/paid-world';
import { makeWorld, type World } from '#tests/support/unit/world';
import { findMerchantInvoice, readInvoiceHistory } from '#worker/data/invoices/merchant-invoice';
import { invoices } from '#worker/data/schema/schema';
import { findNamedTerminal } from '#worker/data/terminals/terminals';
import { matchDeposits } from '#worker/domain/batches/match-deposits';
import { loadMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import { reopenInvoice } from '#worker/domain/refunds/reopen-invoice';
import { readBatches } from '#worker/domain/terminals/batches';
import type { Deposit } from '#worker/vendors/boarding-port';
import { presentHistory } from './view-invoice.ts';

async function historyOf({ deps, accountId, invoiceId }: World) {
  const loaded = await loadMerchantInvoice(deps, { sessionId: 's', accountId, userId: 1, role: 'admin' }, invoiceId);
  if (!loaded) throw new Error('there is no such invoice');
  return presentHistory(loaded, await readInvoiceHistory(deps.db, accountId, invoiceId));
}
const runSql = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const readGivenBackCents = ({ invoiceId }: World) =>
  env.DB.prepare('SELECT given_back_cents FROM invoices WHERE invoice_id = ?')
    .bind(invoiceId)
    .first('given_back_cents');

/** Adds the row that the gateway's message about the payment would add. */
const putInBatch = ({ accountId }: World, attempt: { providerTxnId: string | null }, batchId: string) =>
  runSql(
    `INSERT INTO gateway_transactions (account_id, provider_txn_id, method, terminal_id, batch_id, kind, state, is_voided, amount_cents,
      net_cents, order_id, parent_id, dedupe_key, card, payer, at, seen_at)
     VALUES (?, ?, 'card', '', ?, 'SALE', 'approved', 0, 18400, 18400, '', '', '', '', '', 1, 1)`,
    ...[accountId, attempt.providerTxnId, batchId],
  );
const refreshBatches = async ({ deps, accountId }: World) => {
  const terminal = await findNamedTerminal(deps.db, accountId, `T${accountId}`);
  return terminal && readBatches(deps, terminal);
};

describe('the history of an invoice', () => {
  it('is empty when nothing is known', async () => {
    const world = await makeWorld();
    expect(await historyOf(world)).toEqual({
      sent: null,
      reminded: null,
      opened: null,
      payments: [],
      returned: [],
      undecided: null,
      given_back: [],
      mails: [],
      paid: '0.00',
      refunded: '0.00',
    });
  });

  it('contains nothing from another invoice of the clinic', async () => {
    const paidInvoiceWorld = await paidWorld();
    const { world, accountId, invoiceId, db } = paidInvoiceWorld;
    await paidInvoiceWorld.reverse({ amountCents: 400 });
    for (const [id, kind] of [
      ['link', 'pay-link'],
      ['reminder', 'reminder'],
    ])
      await runSql(
        `INSERT INTO outbox (id, kind, recipient, account_id, invoice_id, state, next_try_at, created_at, sent_at)
         VALUES (?, ?, 'marta@example.test', ?, ?, 'sent', 1, 1, 1)`,
        ...[`${id}${accountId}`, kind, accountId, invoiceId],
      );
    await runSql(
      'INSERT INTO page_views (account_id, invoice_id, load_id, at) VALUES (?, ?, ?, 1)',
      accountId,
      invoiceId,
      'l',
    );
    await runSql(
      "INSERT INTO invoice_signatures (account_id, invoice_id, image_key, saved_at, saved_by) VALUES (?, ?, 'key', 1, 1)",
      ...[accountId, invoiceId],
    );
    const row = await world.invoiceRow();
    if (!row) throw new Error('there is no such invoice');
    const otherInvoiceId = `other-${invoiceId}`;
    await db.insert(invoices).values({ ...row, invoiceId: otherInvoiceId, localStatus: 'none', givenBackCents: 0 });
    expect(await findMerchantInvoice(db, { accountId }, otherInvoiceId)).toMatchObject({
      invoice: { invoiceId: otherInvoiceId },
      link: undefined,
      attempts: [],
      payments: [],
      mailed: undefined,
      signature: undefined,
    });
    expect(await findMerchantInvoice(db, { accountId }, invoiceId)).toMatchObject({
      invoice: { invoiceId },
      link: { invoiceId },
      attempts: [{}],
      payments: [{}],
      mailed: {},
      signature: {},
    });
    const {
      openings: opened,
      requests: sent,
      mails,
      reversals: reversalRows,
      attempts: payments,
    } = await readInvoiceHistory(db, accountId, otherInvoiceId);
    expect([opened?.times, sent, mails, reversalRows, payments]).toEqual([0, [], [], [], []]);
    const life = await readInvoiceHistory(db, accountId, invoiceId);
    expect([life.openings?.times, life.requests.length, life.reversals.length, life.attempts.length]).toEqual([
      1, 2, 1, 1,
    ]);
    expect(life.mails.map(({ kind }) => kind).sort()).toEqual(['pay-link', 'receipt', 'receipt', 'reminder']);
  });

  it('shows the first and last email with its link and the number of page views', async () => {
    const world = await makeWorld();
    const mail = (id: string, kind: string, state: string, at: number) =>
      runSql(
        `INSERT INTO outbox (id, kind, recipient, account_id, invoice_id, state, next_try_at, created_at, sent_at)
         VALUES (?, ?, 'marta@example.test', ?, ?, ?, 1, ?, ?)`,
        ...[`${id}${world.accountId}`, kind, world.accountId, world.invoiceId, state, at, state === 'sent' ? at : null],
      );
    await mail('a', 'pay-link', 'sent', 1000);
    await mail('b', 'pay-link', 'sent', 3000);
    await mail('c', 'pay-link', 'failed', 4000);
    await mail('d', 'test-link', 'sent', 5000);
    await mail('e', 'reminder', 'sent', 6000);
    await mail('f', 'reminder', 'failed', 7000);
    await runSql("UPDATE outbox SET delivery = 'bounced' WHERE id = ?", `e${world.accountId}`);
    for (const at of [2000, 9000])
      await runSql(
        'INSERT INTO page_views (account_id, invoice_id, load_id, at) VALUES (?, ?, ?, ?)',
        ...[world.accountId, world.invoiceId, `load-${at}`, at],
      );
    const iso = (at: number) => new Date(at).toISOString();
    expect(await historyOf(world)).toMatchObject({
      sent: { first_at: iso(1000), last_at: iso(3000), times: 2, to: 'marta@example.test' },
      opened: { first_at: iso(2000), last_at: iso(9000), times: 2 },
      reminded: { first_at: iso(6000), last_at: iso(6000), times: 1 },
      mails: [
        { kind: 'reminder', state: 'sent', delivery: 'bounced' },
        { kind: 'pay-link', state: 'failed', delivery: null },
        { kind: 'pay-link', state: 'sent' },
        { kind: 'pay-link', state: 'sent' },
      ],
    });
  });

  it('follows a payment into its batch, settlement and payout, with the fees', async () => {
    const paidInvoiceWorld = await paidWorld('open');
    const { world, attempt, gateway, deps, accountId, clock } = paidInvoiceWorld;
    expect((await historyOf(world)).payments).toMatchObject([{ amount: '184.00', via: 'Payment link', batch: null }]);
    await putInBatch(world, attempt, '7');
    await refreshBatches(world);
    expect((await historyOf(world)).payments[0]?.batch).toEqual({
      id: '7',
      settled_at: null,
      confirmation: '',
      funded_on: null,
      deposit: null,
      fees: null,
    });
    const [openBatch] = (await refreshBatches(world)) as unknown as Record<string, unknown>[];
    const settledAt = clock.now;
    gateway.script.batches = () => [{ ...openBatch, status: 'closed', settledAt, confirmationCode: 'CONF7' }] as never;
    const queried: string[] = [];
    const deposit: Deposit = {
      batchId: '7',
      terminalId: `T${accountId}`,
      fundedOn: '2026-03-05',
      depositCents: 17_900,
    };
    const nightDeps = {
      ...deps,
      settings: { ...deps.settings, REPORTING_BASE_URL: 'https://reports.example' },
      boarding: {
        ...deps.boarding,
        listDeposits: async (number: string, day: string) => {
          queried.push(`${number} ${day}`);
          return day === '2026-03-05' ? [deposit] : [];
        },
      },
    };
    await runSql(
      "INSERT OR REPLACE INTO merchants (account_id, name, merchant_number, claimed_at) VALUES (?, 'M', '6588', 1)",
      accountId,
    );
    await matchDeposits(nightDeps, accountId);
    expect(queried).toEqual(['6588 2026-03-04', '6588 2026-03-05']);
    expect((await historyOf(world)).payments[0]?.batch).toEqual({
      id: '7',
      settled_at: new Date(settledAt).toISOString(),
      confirmation: 'CONF7',
      funded_on: '2026-03-05',
      deposit: '179.00',
      fees: '5.00',
    });
    await matchDeposits(nightDeps, accountId);
    expect(queried, 'what is in the bank is not asked for again').toHaveLength(2);
  });

  it('shows refunds with reason and user, and marks them as earlier in the next collection', async () => {
    const paidInvoiceWorld = await paidWorld();
    await paidInvoiceWorld.reverse({ amountCents: 5255, reason: 'One X-ray too many' });
    expect(await historyOf(paidInvoiceWorld.world)).toMatchObject({
      paid: '184.00',
      refunded: '52.55',
      given_back: [
        { kind: 'refund', amount: '52.55', reason: 'One X-ray too many', by: 'a@example.test', is_earlier: false },
      ],
    });
    // The refund has its own batch, not that of the payment or of a later refund.
    paidInvoiceWorld.books.refundBatch = '9';
    expect((await historyOf(paidInvoiceWorld.world)).given_back[0]?.batch).toEqual({
      id: '8',
      terminal_id: `T${paidInvoiceWorld.accountId}`,
    });
    expect(await readGivenBackCents(paidInvoiceWorld.world)).toBe(5255);
    paidInvoiceWorld.clock.now += 60_000;
    await paidInvoiceWorld.reverse({ amountCents: 13_145 });
    expect(await historyOf(paidInvoiceWorld.world)).toMatchObject({
      refunded: '184.00',
      payments: [{ state: 'refunded' }],
    });
    expect(await readGivenBackCents(paidInvoiceWorld.world)).toBe(18_400);
    expect((await historyOf(paidInvoiceWorld.world)).given_back.map(({ batch }) => batch?.id)).toEqual(['9', '8']);
    await reopenInvoice(paidInvoiceWorld.deps, paidInvoiceWorld.merchant, paidInvoiceWorld.invoiceId);
    const life = await historyOf(paidInvoiceWorld.world);
    expect(life).toMatchObject({ payments: [], paid: '0.00', refunded: '0.00' });
    expect(life.given_back.map(({ is_earlier }) => is_earlier)).toEqual([true, true]);
    expect(await readGivenBackCents(paidInvoiceWorld.world)).toBe(0);
  });

  it('counts nothing for a payment whose outcome is unknown', async () => {
    const world = await makeWorld();
    await runSql(
      `INSERT INTO payment_attempts (id, account_id, invoice_id, collection, terminal_id, channel, method, amount_cents, currency,
        invoice_number, dedupe_key, receipt_id, state, hold_until, created_at)
       VALUES (?, ?, ?, 1, 'T', 'link', 'card', 18400, 'USD', 'n', 'd', ?, 'unknown', 1, 1)`,
      ...[`u${world.accountId}`, world.accountId, world.invoiceId, `r${world.accountId}`],
    );
    expect(await historyOf(world)).toMatchObject({
      payments: [],
      paid: '0.00',
      undecided: { state: 'unknown', amount: '184.00' },
    });
  });
});
