import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { eventOf, gatewayOnlyTransaction, type LedgerPair, makeLedgerPair, runNight } from '#tests/support/ledger-pair';
import { startRandom } from '#tests/support/random';
import { openWithListener } from '#tests/support/unit/d1-line';
import { insertRow } from '#tests/support/unit/insert-row';
import { openDb } from '#worker/data/db';
import { findReversal } from '#worker/data/refunds/reversals';
import { outbox, paymentAttempts } from '#worker/data/schema/schema';
import { settle } from '#worker/domain/payments/settle';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { runSchedule } from '../run-schedule.ts';
import { handleTransactionWebhook } from './handle-transaction-webhook.ts';
import { ingestTransactions } from './ingest.ts';
import { viewReconciliation } from './view-reconciliation.ts';

const HOUR = 3_600_000;

/** Makes every kind of change at the gateway whose response may be lost on its way to us. */
async function changeEverything(world: LedgerPair): Promise<void> {
  await world.sell({ state: 'unknown' });
  const voidedSale = await world.sell();
  voidedSale.txn.isVoided = true;
  const refundedSale = await world.sell();
  world.books.push(gatewayOnlyTransaction(world, { kind: 'REFUND', amountCents: 400, parentId: refundedSale.txn.id }));
  const settledDebit = await world.sell({ method: 'ach', state: 'pending' });
  settledDebit.txn.state = 'approved';
  const returnedDebit = await world.sell({ method: 'ach' });
  Object.assign(returnedDebit.txn, { state: 'returned', providerCode: 'R01' });
  await world.sell();
}

describe('a change at the gateway', () => {
  const FINAL_STATES = [
    { state: 'approved', refunded: 0, localStatus: 'paid', booked: ['payment 18400'] },
    { state: 'voided', refunded: 18_400, localStatus: 'voided', booked: ['payment 18400', 'void -18400'] },
    { state: 'approved', refunded: 400, localStatus: 'paid', booked: ['payment 18400', 'refund -400'] },
    { state: 'approved', refunded: 0, localStatus: 'paid', booked: ['payment 18400'] },
    { state: 'returned', refunded: 0, localStatus: 'returned', booked: ['payment 18400', 'return -18400'] },
    { state: 'approved', refunded: 0, localStatus: 'paid', booked: ['payment 18400'] },
  ];

  it('reaches our books even when every webhook is lost', async () => {
    const world = await makeLedgerPair();
    await changeEverything(world);
    expect((await runNight(world)).differences).toEqual([]);
    expect(await world.state()).toEqual(FINAL_STATES);
    await runSchedule(world.deps);
    expect(await world.state()).toEqual(FINAL_STATES);
  });

  it('is booked once when every webhook arrives twenty times, in random order and concurrently', async () => {
    const world = await makeLedgerPair();
    await changeEverything(world);
    world.clock.now += HOUR;
    const { random } = startRandom();
    const messages = world.books.flatMap((txn) => Array.from({ length: 20 }, () => eventOf(world, txn)));
    for (let remaining = messages.length; remaining > 0; remaining -= 10) {
      const group = Array.from({ length: Math.min(10, remaining) }, () =>
        messages.splice(random.below(messages.length), 1),
      );
      await Promise.all(group.flat().map((message) => handleTransactionWebhook(world.deps, message)));
    }
    expect(messages).toEqual([]);
    expect(await world.state()).toEqual(FINAL_STATES);
    expect((await runNight(world)).differences).toEqual([]);
    expect(await world.state()).toEqual(FINAL_STATES);
  });

  it('stays booked when a stale list shows a debit as it was before its return', async () => {
    const world = await makeLedgerPair();
    const { txn } = await world.sell({ method: 'ach' });
    const ingest = (state: GatewayTransaction['state']) =>
      ingestTransactions(world.deps, world.accountId, 'ach', { txns: [{ ...txn, state }], seenAt: world.clock.now++ });
    Object.assign(txn, { state: 'returned', providerCode: 'R01' });
    await ingest('returned');
    await ingest('approved');
    expect((await viewReconciliation(world.deps, world.accountId)).differences).toEqual([]);
    expect(await world.state()).toEqual([FINAL_STATES[4]]);
  });

  it('is booked as two refunds when a payment is refunded in two parts', async () => {
    const world = await makeLedgerPair();
    const { txn } = await world.sell();
    for (const amountCents of [400, 500])
      world.books.push(gatewayOnlyTransaction(world, { kind: 'REFUND', amountCents, parentId: txn.id }));
    expect((await runNight(world)).differences).toEqual([]);
    expect(await world.state()).toMatchObject([
      { refunded: 900, booked: ['payment 18400', 'refund -400', 'refund -500'] },
    ]);
  });

  it('is booked from the webhook of a void, which names the payment or refund that it reverses', async () => {
    const world = await makeLedgerPair();
    const [paidSale, refundedSale] = [await world.sell(), await world.sell()];
    const refund = gatewayOnlyTransaction(world, { kind: 'REFUND', amountCents: 400, parentId: refundedSale.txn.id });
    world.books.push(refund);
    await handleTransactionWebhook(world.deps, eventOf(world, refund));
    expect(await world.state()).toMatchObject([{ refunded: 0 }, { refunded: 400 }]);
    for (const reversedTxn of [paidSale.txn, refund]) {
      reversedTxn.isVoided = true;
      const voidTxn = gatewayOnlyTransaction(world, {
        kind: 'VOID',
        amountCents: reversedTxn.amountCents,
        parentId: reversedTxn.id,
      });
      world.books.push(voidTxn);
      await handleTransactionWebhook(world.deps, eventOf(world, voidTxn));
    }
    expect(await world.state()).toMatchObject([{ state: 'voided' }, { state: 'approved', refunded: 0 }]);
    expect((await runNight(world)).differences).toEqual([]);
  });

  it.each([
    ['is emailed when it is found within a day', 3, 1],
    ['is not emailed a second time when it is found later', 30, 0],
  ])('%s, after a restore', async (_title, hoursAgo, mails) => {
    const world = await makeLedgerPair();
    const { id, txn } = await world.sell();
    await world.db.update(paymentAttempts).set({ receiptTo: 'ana@payer.example' }).where(eq(paymentAttempts.id, id));
    world.clock.now += 48 * HOUR;
    const createdAt = world.clock.now - hoursAgo * HOUR;
    world.deps.settings.RESTORED_AT = world.clock.now - HOUR;
    world.books.push(gatewayOnlyTransaction(world, { kind: 'REFUND', amountCents: 400, parentId: txn.id, createdAt }));
    await runNight(world);
    expect(await world.state()).toMatchObject([{ refunded: 400 }]);
    const queuedMails = await world.db.select().from(outbox).where(eq(outbox.attemptId, id));
    expect(queuedMails).toHaveLength(mails);
  });

  it.each(['a refund', 'a void'])('is booked by the schedule when the database fails midway: %s', async (kind) => {
    const world = await makeLedgerPair();
    const { txn } = await world.sell();
    if (kind === 'a void') txn.isVoided = true;
    else world.books.push(gatewayOnlyTransaction(world, { kind: 'REFUND', amountCents: 400, parentId: txn.id }));
    let isArmed = true;
    const db = openDb(
      openWithListener(env.DB, {
        ask: (queries) => {
          if (!isArmed || !queries.some(({ sql }) => /^update "reversals"/i.test(sql))) return;
          isArmed = false;
          throw new Error('the database is gone');
        },
      }),
    );
    const failingWorld = { ...world, deps: { ...world.deps, db } };
    await runNight(failingWorld);
    expect(isArmed).toBe(false);
    expect((await world.state()).flatMap(({ booked }) => booked)).toEqual(['payment 18400']);
    await runSchedule(world.deps);
    const lastEntry = kind === 'a void' ? 'void -18400' : 'refund -400';
    expect((await world.state()).flatMap(({ booked }) => booked)).toEqual(['payment 18400', lastEntry]);
  });

  it('goes to manual review with one alert when our books reject it', async () => {
    const world = await makeLedgerPair();
    const [sale, other] = [await world.sell(), await world.sell()];
    await insertRow(env.DB, 'reversals', {
      id: 'seen',
      account_id: world.accountId,
      attempt_id: sale.id,
      invoice_id: sale.invoiceId,
      kind: 'refund',
      amount_cents: 400,
      state: 'sent',
      provider_txn_id: other.txn.id,
      request_key: 'seen',
      next_check_at: 0,
    });
    for (let minute = 0; minute < 3; minute++) await runSchedule(world.deps);
    expect(await findReversal(world.db, 'seen')).toMatchObject({ state: 'needs_human', nextCheckAt: null });
    expect(world.logs.filter((line) => line.startsWith('ALERT'))).toEqual(['ALERT reversal-needs-a-person']);
    expect((await world.state()).map(({ refunded }) => refunded)).toEqual([0, 0]);
  });

  it('is booked once when its webhooks come before the reply', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'sent' });
    const attempt = await world.read(sale.id);
    const sendRepeatedly = () =>
      Promise.all(Array.from({ length: 20 }, () => handleTransactionWebhook(world.deps, eventOf(world, sale.txn))));
    await sendRepeatedly();
    // The request that made the charge writes its outcome.
    const at = world.clock.now;
    await settle(world.deps, attempt, { to: 'approved', from: ['sent', 'unknown'], at, txn: sale.txn });
    await sendRepeatedly();
    expect(await world.state()).toEqual([FINAL_STATES[0]]);
    expect((await runNight(world)).differences).toEqual([]);
    expect(await world.state()).toEqual([FINAL_STATES[0]]);
  });

  it('is booked from its webhook alone while the reply is outstanding, and the reply books nothing more', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'sent' });
    const { find } = world.gateway.script;
    // The indexes by order id and by key lag, so only the message's own transaction is shown.
    world.gateway.script.find = (by) => ('providerTxnId' in by ? find(by) : []);
    const attempt = await world.read(sale.id);
    await handleTransactionWebhook(world.deps, eventOf(world, sale.txn));
    expect(await world.state()).toEqual([FINAL_STATES[0]]);
    expect((await viewReconciliation(world.deps, world.accountId)).differences).toEqual([]);
    const move = { to: 'declined' as const, from: ['sent' as const, 'unknown' as const], at: world.clock.now };
    expect(await settle(world.deps, attempt, move)).toMatchObject({ moved: false, attempt: { state: 'approved' } });
    expect(await world.state()).toEqual([FINAL_STATES[0]]);
  });

  it('is no longer a mismatch once the reply, which came after its webhook, is booked', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'sent' });
    const attempt = await world.read(sale.id);
    const { find } = world.gateway.script;
    world.gateway.script.find = (by) => ('providerTxnId' in by ? find(by) : 'unavailable');
    await handleTransactionWebhook(world.deps, eventOf(world, sale.txn));
    expect((await viewReconciliation(world.deps, world.accountId)).differences).toMatchObject([
      { verdict: 'only-gateway' },
    ]);
    const move = { to: 'approved' as const, from: ['sent' as const], at: world.clock.now, txn: sale.txn };
    await settle(world.deps, attempt, move);
    expect((await viewReconciliation(world.deps, world.accountId)).differences).toEqual([]);
  });

  it.each([
    ['a void', { isVoided: true }],
    ['another amount', { amountCents: 1 }],
    ['a refusal', { state: 'declined' }],
    ['an unknown state', { state: 'other' }],
    ['another order', { attemptId: 'else' }],
  ] as const)('does not move a payment under way when its webhook shows %s', async (_title, overrides) => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'sent' });
    await handleTransactionWebhook(world.deps, eventOf(world, Object.assign(sale.txn, overrides)));
    expect(await world.state()).toMatchObject([{ state: 'sent', booked: [] }]);
  });

  it('does not move a payment under way when its card was charged twice', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'sent' });
    world.books.push({ ...sale.txn, id: `${sale.txn.id}-2` });
    await handleTransactionWebhook(world.deps, eventOf(world, sale.txn));
    expect(await world.state()).toMatchObject([{ state: 'sent', booked: [] }]);
  });

  it('is not booked from webhooks of events that did not happen', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const openSale = await world.sell({ state: 'unknown', isShown: false });
    const previousState = await world.state();
    for (let round = 0; round < 20; round++) {
      await handleTransactionWebhook(world.deps, {
        ...eventOf(world, sale.txn),
        attemptId: round % 2 ? openSale.id : sale.id,
      });
      await handleTransactionWebhook(world.deps, { ...eventOf(world, sale.txn), providerTxnId: `forged-${round}` });
      await handleTransactionWebhook(world.deps, { ...eventOf(world, sale.txn), attemptId: '', terminalId: 'nobody' });
    }
    expect(await world.state()).toEqual(previousState);
  });
});
