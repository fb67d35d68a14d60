import { describe, expect, it } from 'vitest';
import { debitOf, type GatewayAnswer, pay, submittedDebit } from '#tests/support/unit/submitted-debit';
import { transaction, type World } from '#tests/support/unit/world';
import { readInvoiceHistory } from '#worker/data/invoices/merchant-invoice';
import { readBlockers } from '#worker/data/operate/erase';
import { loadMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import { sendMail } from '#worker/domain/mail/send';
import type { Merchant } from '#worker/domain/merchants/session';
import { mailPayLink, mailReceipt } from '#worker/domain/preview/mail-invoice';
import { presentHistory } from '#worker/domain/preview/view-invoice';
import { viewToday } from '#worker/domain/today/view-today';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { CLINIC_STEPS } from '../run-schedule.ts';
import { inquirePaymentStatus } from './inquire-status.ts';
import { settle } from './settle.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('an accepted bank debit', () => {
  it.each<[string, Partial<GatewayTransaction>]>([
    ['returned by the bank', { state: 'returned', providerCode: 'R01' }],
    ['declined after all', { state: 'declined', result: 'REJECTED' }],
    ['pending and marked as voided', { state: 'pending', isVoided: true }],
    ['settled and marked as voided', { state: 'approved', isVoided: true }],
  ])('ends and reopens its invoice once the gateway shows it as %s', async (_title, overrides) => {
    const { world, show, wait, state, label } = await submittedDebit();
    show([overrides]);
    await wait(1);
    expect(await state()).toBe('returned');
    expect(await label()).toBe('none');
    expect(await world.ledger()).toEqual([]);
    expect((await world.attempts())[0]?.nextCheckAt).toBeNull();
  });

  it.each<[string, GatewayAnswer]>([
    ['is shown in an unknown state', [{ state: 'other', result: 'ON HOLD' }]],
    ['is no longer listed', []],
    ['is shown with another amount', [{ amountCents: 100 }]],
  ])('goes to manual review with an alert when, for a day, it %s', async (_title, response) => {
    const { world, show, wait, state, label, alerts } = await submittedDebit();
    show(response);
    await wait(0.75, 5 * HOUR);
    expect(await state()).toBe('pending');
    await wait(1, 5 * HOUR);
    expect(await state()).toBe('needs_human');
    expect(await label()).toBe('submitted');
    expect(alerts()).toHaveLength(1);
    expect((await pay(world)).kind).not.toBe('approved');
  });

  it.each<[string, GatewayAnswer]>([
    ['stays on its way', [{}]],
    ['cannot be looked up', 'unavailable'],
  ])('goes to manual review when it still %s after 14 days', async (_title, response) => {
    const { show, wait, state, alerts } = await submittedDebit();
    show(response);
    await wait(13);
    expect(await state()).toBe('pending');
    await wait(2);
    expect(await state()).toBe('needs_human');
    expect(alerts()).toHaveLength(1);
  });

  it('goes to manual review after six scheduled checks that find nothing, not counting checks by pages', async () => {
    const { world, show, state } = await submittedDebit();
    show([]);
    const inquire = async () => {
      const [attempt] = await world.attempts();
      if (attempt) await inquirePaymentStatus(world.deps, attempt);
    };
    for (let check = 0; check < 5; check++) {
      world.clock.now += 4 * HOUR;
      await CLINIC_STEPS.payments?.(world.deps);
      for (let page = 0; page < 3; page++) {
        world.clock.now += 1000;
        await inquire();
      }
      world.clock.now += 1;
    }
    expect(await state()).toBe('pending');
    world.clock.now += 4 * HOUR;
    await CLINIC_STEPS.payments?.(world.deps);
    expect(await state()).toBe('needs_human');
  });

  it('is found by its own id when order id and key do not find it', async () => {
    const { world, request, wait, state } = await submittedDebit();
    const [attempt] = await world.attempts();
    const txn = debitOf(request, { id: attempt?.providerTxnId ?? '', state: 'approved' });
    world.gateway.script.find = (by) => ('providerTxnId' in by ? [txn] : []);
    await wait(1);
    expect(await state()).toBe('approved');
  });

  it('stays pending while empty answers alternate with good ones', async () => {
    const { show, wait, state } = await submittedDebit();
    for (let day = 0; day < 6; day++) {
      show([]);
      await wait(0.5, 4 * HOUR);
      show([{}]);
      await wait(0.5, 4 * HOUR);
    }
    expect(await state()).toBe('pending');
  });
});

describe('a bank debit in manual review', () => {
  it('is released by staff, and its invoice can be paid in the next collection', async () => {
    const { world, show, wait, state, label, resolve } = await submittedDebit();
    show([{ state: 'other', result: 'ON HOLD' }]);
    await wait(8);
    expect((await resolve('not-charged')).kind).toBe('resolved');
    expect(await state()).toBe('not_charged');
    expect(await label()).toBe('none');
    world.gateway.script.charge = (request) => ({ kind: 'approved', txn: transaction(request), exchangeId: '' });
    expect((await pay(world)).kind).toBe('approved');
    expect(new Set(world.gateway.charges.map(({ dedupeKey }) => dedupeKey)).size).toBe(2);
  });

  it('is booked by staff when the gateway shows it settled', async () => {
    const { world, request, show, wait, state, label, resolve } = await submittedDebit();
    show([]);
    await wait(8);
    expect((await resolve('charged')).kind).toBe('contradicted');
    show([{ state: 'approved' }]);
    expect((await resolve('charged')).kind).toBe('resolved');
    expect(await state()).toBe('approved');
    expect(await label()).toBe('paid');
    expect(await world.ledger()).toMatchObject([{ kind: 'payment', amountCents: request.amountCents }]);
  });

  it('cannot be released by staff while the gateway shows it as pending', async () => {
    const { show, wait, resolve } = await submittedDebit();
    show([{}]);
    await wait(16);
    expect((await resolve('not-charged')).kind).toBe('contradicted');
  });

  it.each<[string, Partial<GatewayTransaction>, string, string]>([
    ['settles', { state: 'approved' }, 'approved', 'paid'],
    ['is returned', { state: 'returned', providerCode: 'R02' }, 'returned', 'none'],
    ['is voided', { isVoided: true }, 'returned', 'none'],
  ])(
    'leaves manual review without a decision when it %s after all',
    async (_title, overrides, endState, localStatus) => {
      const { world, show, wait, state, label } = await submittedDebit();
      show([]);
      await wait(8);
      expect(await state()).toBe('needs_human');
      show([overrides]);
      await wait(1);
      expect(await state()).toBe(endState);
      expect(await label()).toBe(localStatus);
      expect(await world.ledger()).toHaveLength(endState === 'approved' ? 1 : 0);
    },
  );

  it('returns to manual review when it settles weeks after staff released it', async () => {
    const { show, wait, state, resolve } = await submittedDebit();
    show([]);
    await wait(8);
    expect((await resolve('not-charged')).kind).toBe('resolved');
    await wait(20);
    show([{ state: 'approved' }]);
    await wait(2);
    expect(await state()).toBe('needs_human');
  });

  it('is looked up for 65 days even after staff released it, then no more', async () => {
    const { world, show, wait, resolve } = await submittedDebit();
    show([]);
    await wait(8);
    await resolve('not-charged');
    await wait(56);
    expect((await world.attempts())[0]?.nextCheckAt).not.toBeNull();
    await wait(3);
    expect((await world.attempts())[0]?.nextCheckAt).toBeNull();
  });

  it('stops blocking its clinic’s erasure once the gateway has forgotten it', async () => {
    const { world, show, wait, state } = await submittedDebit();
    show([]);
    await wait(8);
    expect(await state()).toBe('needs_human');
    expect((await readBlockers(world.db, world.clock.now)).payments).toBeGreaterThan(0);
    const forgottenAt = ((await world.attempts())[0]?.createdAt ?? 0) + 92 * DAY;
    expect((await readBlockers(world.db, forgottenAt - 1)).payments).toBe(1);
    expect((await readBlockers(world.db, forgottenAt)).payments).toBe(0);
  });
});

describe('a bank debit that was returned before it was booked', () => {
  const returnedResponse = [{ state: 'returned', providerCode: 'R01' }] as const;
  const admin = (world: World): Merchant => ({ sessionId: 's', accountId: world.accountId, userId: 1, role: 'admin' });
  const returnedDebit = async () => {
    const debit = await submittedDebit();
    debit.show([...returnedResponse]);
    await debit.wait(1);
    return debit;
  };
  const listReturnNeeds = async (world: World) => {
    const { needs } = await viewToday(world.deps, world.accountId);
    return needs.filter(({ kind }) => kind === 'returned');
  };

  it.each([
    ['returned', [...returnedResponse]],
    ['approved', [{ state: 'approved' }]],
  ] as const)('is not emailed again as %s after a restore that lost the email', async (_state, response) => {
    const { world, show, wait } = await submittedDebit();
    const changedAt = world.clock.now + DAY;
    show(response.map((overrides) => ({ ...overrides, changedAt })));
    world.clock.now += 3 * DAY;
    // From the next minute on, the clinic works from a dump of the first day.
    world.deps.settings = { ...world.deps.settings, RESTORED_AT: world.clock.now };
    await wait(1);
    expect(await world.outbox()).toEqual([]);
  });

  it('is among the clinic’s tasks even after weeks in manual review', async () => {
    const { world, show, wait, state } = await submittedDebit();
    show([{ state: 'pending' }]);
    await wait(46);
    expect(await state()).toBe('needs_human');
    show([...returnedResponse]);
    await wait(1);
    expect(await state()).toBe('returned');
    expect(await listReturnNeeds(world)).toHaveLength(1);
  });

  it('is listed once among the clinic’s tasks, even if a second debit was returned too', async () => {
    const { world, wait } = await returnedDebit();
    world.gateway.script.find = () => [];
    expect((await pay(world, { paymentType: 'ach' })).kind).toBe('submitted');
    const [, second] = world.gateway.charges;
    if (!second) throw new Error('no second charge');
    world.gateway.script.find = (by) =>
      [debitOf(second, returnedResponse[0])].filter(({ id }) => !('providerTxnId' in by) || id === by.providerTxnId);
    world.gateway.script.listTransactions = () => ({ transactions: [], isLast: true });
    await wait(1);
    expect((await world.attempts()).map(({ state }) => state)).toEqual(['returned', 'returned']);
    const listedNeeds = await listReturnNeeds(world);
    expect(listedNeeds.map(({ at }) => at)).toEqual([
      [new Date((await world.attempts())[1]?.settledAt ?? 0).toISOString()],
    ]);
  });

  it('does not count against the emails that staff may send', async () => {
    const { world } = await returnedDebit();
    const kinds = [];
    for (let mail = 0; mail < 5; mail++) {
      world.clock.now += 61_000;
      kinds.push((await mailPayLink(world.deps, admin(world), world.invoiceId)).kind);
    }
    expect(kinds).toEqual(['sent', 'sent', 'sent', 'sent', 'sent']);
  });

  it('does not delay the receipt of the payment that follows', async () => {
    const { world } = await returnedDebit();
    world.clock.now += 5_000;
    world.gateway.script.charge = (request) => ({ kind: 'approved', txn: transaction(request, {}), exchangeId: '' });
    world.gateway.script.find = () => [];
    expect((await pay(world)).kind).toBe('approved');
    expect((await mailReceipt(world.deps, admin(world), world.invoiceId)).kind).toBe('sent');
  });

  it('is emailed as a returned payment, which is never listed as a receipt', async () => {
    const { world } = await returnedDebit();
    for (const { id } of await world.outbox()) await sendMail(world.deps, id);
    expect(world.mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Returned payment/)]);
    const invoice = await loadMerchantInvoice(world.deps, admin(world), world.invoiceId);
    if (!invoice) throw new Error('no invoice');
    const life = presentHistory(invoice, await readInvoiceHistory(world.db, world.accountId, world.invoiceId));
    expect(life.mails.map(({ kind }) => kind)).toEqual(['return-notice']);
  });

  it('is not emailed if the debit settled after all before the email was sent', async () => {
    const { world, request } = await returnedDebit();
    const readAttempt = async () => {
      const [first] = await world.attempts();
      if (!first) throw new Error('no attempt');
      return first;
    };
    const at = world.clock.now;
    await settle(world.deps, await readAttempt(), { to: 'needs_human', from: ['returned'], at });
    const txn = transaction(request, { kind: 'DEBIT', state: 'approved' });
    await settle(world.deps, await readAttempt(), { to: 'approved', from: ['needs_human'], at, txn });
    for (const { id } of await world.outbox()) await sendMail(world.deps, id);
    expect(world.mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Receipt/)]);
  });
});
