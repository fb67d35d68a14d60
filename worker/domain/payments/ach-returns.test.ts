import { describe, expect, it } from 'vitest';
import { readListRequest } from '#shared/contracts/lists/list-request';
import { paymentRules } from '#shared/contracts/payments/payment-list';
import { NOW } from '#tests/support/unit/bare-books';
import { bareClinic, type GatewayAnswer } from '#tests/support/unit/bare-clinic';
import { ACCOUNT } from '#tests/support/unit/rows';
import { pay, submittedDebit } from '#tests/support/unit/submitted-debit';
import type { World } from '#tests/support/unit/world';
import { readInvoiceHistory } from '#worker/data/invoices/merchant-invoice';
import type { Attempt } from '#worker/data/schema/schema';
import { loadMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import { sendMail } from '#worker/domain/mail/send';
import type { Merchant } from '#worker/domain/merchants/session';
import { presentHistory } from '#worker/domain/preview/view-invoice';
import { listPayments } from '#worker/domain/takings/list-payments';
import { viewToday } from '#worker/domain/today/view-today';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { watchAchReturn } from './ach-debit.ts';

const DAY = 24 * 3_600_000;

describe('checking a settled bank debit for a return', () => {
  const settledDebit: Partial<Attempt> = {
    state: 'approved',
    method: 'ach',
    providerTxnId: 't1',
    settledAt: NOW - DAY,
    checks: 2,
    nextCheckAt: NOW,
  };
  const returnedTxn: Partial<GatewayTransaction> = {
    kind: 'DEBIT',
    state: 'returned',
    message: 'R10',
    providerCode: '7',
  };
  const checkOnce = async (row: Partial<Attempt>, response: GatewayAnswer) => {
    const clinic = await bareClinic({ ...settledDebit, ...row });
    clinic.show(response);
    const answer = await watchAchReturn(clinic.deps, await clinic.read());
    expect(answer).toEqual(await clinic.read());
    return { ...clinic, answer };
  };

  it.each<[string, Partial<GatewayTransaction>]>([
    ['returned', returnedTxn],
    ['declined', { ...returnedTxn, state: 'declined' }],
  ])('ends the debit with an alert when it was %s', async (_title, txn) => {
    const { answer, fields, logs } = await checkOnce({}, [txn]);
    expect(answer).toMatchObject({ state: 'returned', message: 'R10', providerCode: '7', settledAt: NOW });
    expect([logs, fields]).toEqual([
      ['ALERT bank-debit-returned-late'],
      [{ accountId: ACCOUNT, attemptId: 'a1', providerCode: '7' }],
    ]);
  });

  it.each<[string, GatewayAnswer]>([
    ['it is still settled', [{ ...returnedTxn, state: 'approved' }]],
    ['it was voided', [{ ...returnedTxn, isVoided: true }]],
    ['another debit was returned', [{ ...returnedTxn, id: 't2' }]],
    ['the provider does not answer', 'unavailable'],
  ])('changes nothing when %s', async (_title, response) => {
    const { answer, logs } = await checkOnce({}, response);
    expect(answer).toMatchObject({ state: 'approved', nextCheckAt: NOW + DAY, checks: 3 });
    expect(logs).toEqual([]);
  });

  it.each<[string, Partial<Attempt>, number | null]>([
    ['until 65 days after settlement', { settledAt: NOW - 64 * DAY }, NOW + DAY],
    ['but not after 65 days', { settledAt: NOW - 64 * DAY - 1 }, null],
    [
      'until 65 days after creation, if there is no settlement time',
      { settledAt: null, createdAt: NOW - 64 * DAY },
      NOW + DAY,
    ],
    ['but not after 65 days, without a settlement time', { settledAt: null, createdAt: NOW - 64 * DAY - 1 }, null],
  ])('is repeated daily %s', async (_title, row, nextCheckAt) => {
    expect((await checkOnce(row, [])).answer.nextCheckAt).toBe(nextCheckAt);
  });

  it('ends a refunded debit that was returned, since its bank does not know about the refund', async () => {
    const { answer, logs } = await checkOnce({ state: 'refunded', amountCents: 10_000, refundedCents: 10_000 }, [
      returnedTxn,
    ]);
    expect([answer.state, logs]).toEqual(['returned', ['ALERT bank-debit-returned-late']]);
  });

  it('does nothing for a card payment', async () => {
    const { requests, deps, read } = await bareClinic({ ...settledDebit, method: 'card' });
    const previous = await read();
    expect(await watchAchReturn(deps, previous)).toBe(previous);
    expect(requests).toEqual([]);
  });

  it('happens once for concurrent callers', async () => {
    const { requests, deps, read } = await bareClinic(settledDebit);
    expect(await watchAchReturn(deps, { ...(await read()), checks: 1 })).toMatchObject({ checks: 2 });
    expect(requests).toEqual([]);
  });

  it('raises no alert when the payment was moved in between', async () => {
    const { db, deps, logs, read, show } = await bareClinic(settledDebit);
    show([returnedTxn]);
    const { find } = deps.gateway;
    deps.gateway.find = async (...args) => {
      await db.$client.prepare("UPDATE payment_attempts SET state = 'voided' WHERE state = 'approved'").run();
      return find(...args);
    };
    expect((await watchAchReturn(deps, await read())).state).toBe('voided');
    expect(logs).toEqual([]);
  });
});

describe('a bank debit returned before it was booked', () => {
  const returnedDebit = async () => {
    const debit = await submittedDebit();
    debit.show([{ state: 'returned', providerCode: 'R01' }]);
    await debit.wait(1);
    return debit;
  };
  const listAllPayments = async ({ deps, accountId }: World) => {
    const request = readListRequest(paymentRules, new URLSearchParams());
    if ('fields' in request) throw new Error(String(request.fields));
    return (await listPayments(deps, accountId, request))?.reply;
  };

  it('is emailed to the payer, who was told not to pay again', async () => {
    const { world, wait } = await returnedDebit();
    await wait(1);
    const [attempt] = await world.attempts();
    const id = `returned-${attempt?.id}`;
    expect((await world.outbox()).map((mail) => [mail.id, mail.recipient])).toEqual([[id, 'marta@example.test']]);
    await sendMail(world.deps, id);
    expect(world.mails.map(({ subject }) => subject)).toEqual([`Returned payment for invoice INV-${world.invoiceId}`]);
  });

  it('stays in the list of payments, with a counted amount of zero, and in the invoice’s history', async () => {
    const { world } = await returnedDebit();
    expect(await listAllPayments(world)).toMatchObject({
      payments: [{ status: 'returned', amount: '184.00', counted: '0.00', method: 'ach', can_go_back: false }],
      totals: { payments: { count: 0, amount: '0.00' }, returned: 1, net: '0.00', on_its_way: { count: 0 } },
    });
    const ana: Merchant = { sessionId: 's', accountId: world.accountId, userId: 1, role: 'admin' };
    const invoice = await loadMerchantInvoice(world.deps, ana, world.invoiceId);
    if (!invoice) throw new Error('no invoice');
    const life = presentHistory(invoice, await readInvoiceHistory(world.db, world.accountId, world.invoiceId));
    expect(life).toMatchObject({ payments: [], paid: '0.00', returned: [{ amount: '184.00' }] });
  });

  it('is a task for staff until the invoice is paid, for at most two weeks', async () => {
    const { world } = await returnedDebit();
    const readNeeds = async () => (await viewToday(world.deps, world.accountId)).needs;
    expect(await readNeeds()).toMatchObject([
      { kind: 'returned', amount: '184.00', invoice: { id: world.invoiceId }, customer: 'Marta Núñez' },
    ]);
    world.clock.now += 14 * DAY;
    expect(await readNeeds()).toEqual([]);
    world.clock.now -= 14 * DAY;
    await pay(world);
    expect(await readNeeds()).toEqual([]);
  });

  it('is followed by a debit with another key, since the gateway may still count the first', async () => {
    const { world, show, wait } = await submittedDebit();
    show([{ state: 'returned', providerCode: 'R01' }]);
    await wait(1);
    expect((await pay(world, { paymentType: 'ach' })).kind).toBe('submitted');
    const [first, second] = world.gateway.charges;
    expect(second?.dedupeKey).not.toBe(first?.dedupeKey);
  });
});

describe('a settled bank debit', () => {
  it('is reversed in the ledger when the bank returns it on the 64th day after settlement', async () => {
    const { world, show, wait, state } = await submittedDebit();
    await wait(4);
    show([{ state: 'approved' }]);
    await wait(1);
    expect(await state()).toBe('approved');
    await wait(62.5, 12.5 * DAY);
    show([{ state: 'returned', providerCode: 'R10' }]);
    // Leaves the return to the daily check, since the nightly list would find it too.
    world.gateway.script.listTransactions = () => 'unavailable';
    await wait(1.5);
    expect(await state()).toBe('returned');
    expect((await world.ledger()).map(({ kind }) => kind)).toEqual(['payment', 'return']);
  });
});
