import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { type DeskWorld, makeCounter } from '#tests/support/terminals';
import { lostOutcome, transaction } from '#tests/support/unit/world';
import { viewPayment } from '#worker/domain/pay-page/view-payment';
import { takePayment } from '#worker/domain/payments/take-payment';
import type { TerminalSaleOutcome } from '#worker/vendors/gateway-port';
import { CrmError } from '#worker/vendors/hubspot/port';
import { runSchedule } from '../run-schedule.ts';
import { runTerminalSale } from './sale.ts';
import { viewTerminals, watchSale } from './view-sale.ts';

const payByLink = (world: DeskWorld) => takePayment(world.deps, world.payId, paymentForm(), { clientIp: '10.0.0.1' });

const LOST_OUTCOME: TerminalSaleOutcome = { kind: 'unknown', cause: 'line cut', exchangeId: '' };
const endedOutcome = (kind: 'cancelled' | 'no-card-in-time'): TerminalSaleOutcome => ({
  kind,
  message: 'Transaction cancelled',
  providerCode: '031',
  exchangeId: 'x',
});
const viewSale = async (world: DeskWorld) => {
  const id = (await world.attempt())?.id ?? '';
  return (await watchSale(world.deps, world.ana, { id }))?.sale;
};

describe('a sale on a card reader', () => {
  it('charges the current CRM balance, is booked once, closes the invoice and queues one receipt', async () => {
    const world = await makeCounter();
    expect((await world.start({ amountShown: '184.00' })).kind).toBe('started');
    expect(world.gateway.sales).toEqual([]);
    expect(await viewSale(world)).toMatchObject({
      state: 'waiting',
      started_by: 'ana@maple.example',
      amount: '184.00',
    });
    const otherWorld = await makeCounter();
    await otherWorld.sell();
    expect(otherWorld.gateway.sales).toMatchObject([{ amountCents: 18_400, dedupeKey: `${otherWorld.invoiceId}-1` }]);
    expect(await otherWorld.ledger()).toMatchObject([{ amountCents: 18_400, kind: 'payment', channel: 'terminal' }]);
    expect((await otherWorld.invoiceRow())?.localStatus).toBe('paid');
    expect(otherWorld.mails).toHaveLength(1);
    expect(await viewSale(otherWorld)).toMatchObject({
      state: 'approved',
      customer: 'Marta Núñez',
      transaction: { amount: '184.00', card: 'VISA •••• 1111' },
      receipt_url: expect.stringMatching(/^\/receipt\//),
    });
  });

  it('is refused when the amount on the screen is outdated or the CRM does not answer', async () => {
    const world = await makeCounter();
    expect((await world.start({ amountShown: '180.00' })).kind).toBe('amount-changed');
    world.deps.crm.getInvoice = () => Promise.reject(new CrmError('unavailable', 'down'));
    expect((await world.start()).kind).toBe('crm-unavailable');
    expect(await world.attempts()).toEqual([]);
  });

  it('accepts only the account’s own counter terminals and invoices', async () => {
    const [world, otherWorld] = [await makeCounter(), await makeCounter()];
    expect((await world.start({}, world.ana, otherWorld.front)).kind).toBe('no-terminal');
    expect((await world.start({}, world.ana, `T${world.accountId}`)).kind).toBe('no-terminal');
    expect((await world.start({ invoiceId: otherWorld.payId })).kind).toBe('not-found');
    expect(await watchSale(world.deps, world.ana, { id: 'x' })).toBeNull();
  });

  it.each([
    ['cancelled', 'cancelled', 'cancelled'],
    ['no-card-in-time', 'timed_out', 'timed-out'],
  ] as const)(
    'charges nothing when the card reader reports %s, and frees the invoice and the card reader at once',
    async (kind, state, shownState) => {
      const world = await makeCounter();
      world.gateway.script.sale = () => endedOutcome(kind);
      await world.sell();
      expect((await world.attempt())?.state).toBe(state);
      expect(await viewSale(world)).toMatchObject({ state: shownState, transaction: null });
      world.gateway.script.sale = (request) => ({ kind: 'approved', txn: transaction(request), exchangeId: 'x' });
      await world.sell();
      expect(await world.ledger()).toHaveLength(1);
    },
  );

  it('shows a decline in the provider’s words and can be started again', async () => {
    const world = await makeCounter();
    world.gateway.script.sale = () => ({
      kind: 'declined',
      message: 'Insufficient funds',
      providerCode: '012',
      txn: null,
      exchangeId: 'x',
    });
    await world.sell();
    expect(await viewSale(world)).toMatchObject({ state: 'declined', message: 'Insufficient funds' });
    expect((await world.start()).kind).toBe('started');
  });

  it('charges nothing on an unreachable terminal, and shows when it last answered', async () => {
    const world = await makeCounter();
    await world.sell();
    const answeredAt = world.clock.now;
    world.clock.now += 3_600_000;
    const otherWorld = await makeCounter();
    otherWorld.gateway.script.sale = () => ({
      kind: 'offline',
      message: 'Terminal is not reachable',
      providerCode: '001',
    });
    await otherWorld.sell();
    expect(await viewSale(otherWorld)).toMatchObject({ state: 'offline', last_heard: null });
    expect((await viewTerminals(world.deps, world.ana)).desks[0]).toMatchObject({
      terminal_name: 'Front counter 1',
      last_heard: new Date(answeredAt).toISOString(),
    });
  });

  it('starts once when the button is clicked twice', async () => {
    const world = await makeCounter();
    const [first, second] = [
      await world.sell({ attemptId: 'click-0001' }),
      await world.sell({ attemptId: 'click-0001' }),
    ];
    expect([first.kind, second.kind]).toEqual(['started', 'started']);
    expect(world.gateway.sales).toHaveLength(1);
  });

  it('is found by attempt key and invoice, within its own account only', async () => {
    const [world, otherWorld] = [await makeCounter(), await makeCounter()];
    await world.sell({ attemptId: 'click-0002' });
    const saleKey = { attemptKey: 'click-0002', invoiceId: world.invoiceId };
    expect((await watchSale(world.deps, world.ana, saleKey))?.sale).toMatchObject({
      state: 'approved',
      amount: '184.00',
    });
    expect(await watchSale(world.deps, world.ana, { ...saleKey, attemptKey: 'click-0003' })).toBeNull();
    expect(await watchSale(world.deps, world.ana, { ...saleKey, invoiceId: otherWorld.invoiceId })).toBeNull();
    expect(await watchSale(otherWorld.deps, otherWorld.ana, saleKey)).toBeNull();
  });
});

describe('a card reader with a sale', () => {
  it('is busy for every viewer until its outcome is known', async () => {
    const world = await makeCounter();
    const listBusyStates = async () => (await viewTerminals(world.deps, world.ben)).desks.map(({ is_busy }) => is_busy);
    expect(await listBusyStates()).toEqual([false, false]);
    const outcome = await world.start();
    expect(await listBusyStates()).toEqual([true, false]);
    if (outcome.kind !== 'started') throw new Error(outcome.kind);
    await runTerminalSale(world.deps, outcome.counter);
    expect(await listBusyStates()).toEqual([false, false]);
  });

  it('is busy after a lost answer as long as it may take a card, and then accepts another sale', async () => {
    const world = await makeCounter();
    const isTerminalBusy = async () => (await viewTerminals(world.deps, world.ana)).desks[0]?.is_busy;
    world.gateway.script.sale = () => LOST_OUTCOME;
    await world.sell();
    const { TERMINAL_TIMEOUT_MS, SENT_GRACE_MS } = world.deps.settings;
    world.clock.now += TERMINAL_TIMEOUT_MS + SENT_GRACE_MS - 1;
    expect([await isTerminalBusy(), (await viewSale(world))?.state]).toEqual([true, 'unknown']);
    world.clock.now += 1;
    expect([await isTerminalBusy(), (await viewSale(world))?.state]).toEqual([false, 'unknown']);
  });

  it('refuses another invoice and names the current sale, while a free terminal accepts the invoice', async () => {
    const [world, secondWorld] = [await makeCounter(), await makeCounter()];
    await world.start();
    world.crm.invoice = world.crm.invoice && { ...world.crm.invoice, id: secondWorld.invoiceId, number: 'INV-2' };
    const busyOutcome = await world.start({ invoiceId: secondWorld.invoiceId }, world.ben);
    expect(busyOutcome).toMatchObject({
      kind: 'busy',
      attempt: { startedBy: 'ana@maple.example', invoiceNumber: `INV-${world.invoiceId}`, amountCents: 18_400 },
    });
    expect((await world.start({ invoiceId: secondWorld.invoiceId }, world.ben, world.back)).kind).toBe('started');
  });

  it('accepts one of many sales that start at once', async () => {
    const world = await makeCounter();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => world.start()));
    expect(outcomes.filter(({ kind }) => kind === 'started')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'at-the-desk')).toHaveLength(9);
  });

  it('is free again once its own time limit and our grace period are over', async () => {
    const world = await makeCounter({ SENT_GRACE_MS: 60_000, TERMINAL_TIMEOUT_MS: 180_000 });
    const otherWorld = await makeCounter();
    await world.start();
    world.crm.invoice = world.crm.invoice && { ...world.crm.invoice, id: otherWorld.invoiceId };
    const next = { invoiceId: otherWorld.invoiceId };
    world.clock.now += 239_000;
    expect((await world.start(next)).kind).toBe('busy');
    world.clock.now += 2_000;
    expect((await world.start(next)).kind).toBe('started');
  });
});

describe('an invoice at a counter terminal', () => {
  it('is closed to its payer, and is refused at the terminal while a payer pays it', async () => {
    const world = await makeCounter();
    await world.start();
    expect((await payByLink(world)).kind).toBe('at-the-desk');
    expect((await viewPayment(world.deps, world.payId))?.status.state).toBe('desk');
    const otherWorld = await makeCounter();
    otherWorld.gateway.script.charge = () => lostOutcome;
    await payByLink(otherWorld);
    expect((await otherWorld.start()).kind).toBe('being-paid');
    expect(otherWorld.gateway.sales).toEqual([]);
  });

  it('is not started again once it is paid by any channel', async () => {
    const world = await makeCounter();
    await payByLink(world);
    expect((await world.start()).kind).toBe('already-paid');
    const otherWorld = await makeCounter();
    await otherWorld.sell();
    expect((await otherWorld.start()).kind).toBe('already-paid');
    expect((await payByLink(otherWorld)).kind).toBe('already-paid');
  });

  it('is refused at a second terminal with the name of the first one', async () => {
    const world = await makeCounter();
    await world.start();
    expect(await world.start({}, world.ben, world.back)).toMatchObject({
      kind: 'at-the-desk',
      terminal: { name: 'Front counter 1' },
    });
  });
});

describe('a sale with a lost answer', () => {
  it('is queried by order id when viewed, at most every three seconds', async () => {
    const world = await makeCounter();
    world.gateway.script.sale = () => LOST_OUTCOME;
    await world.sell();
    const id = (await world.attempt())?.id ?? '';
    const isInquiryDue = async () => (await watchSale(world.deps, world.ana, { id }))?.dueCheck !== null;
    expect(await viewSale(world)).toMatchObject({ state: 'unknown', provider: 'Clearent' });
    expect(await isInquiryDue()).toBe(true);
    const lookups: unknown[] = [];
    world.gateway.script.find = (searchKey) => {
      lookups.push(searchKey);
      return 'unavailable';
    };
    await runSchedule(world.deps);
    world.clock.now += 2_000;
    await runSchedule(world.deps);
    expect(lookups).toEqual([{ attemptId: id }]);
    expect(await isInquiryDue()).toBe(false);
    world.clock.now += 3_000;
    expect(await isInquiryDue()).toBe(true);
  });

  it('is booked when the gateway has it, and its receipt is sent', async () => {
    const world = await makeCounter();
    world.gateway.script.sale = () => LOST_OUTCOME;
    await world.sell();
    const [request] = world.gateway.sales;
    if (!request) throw new Error('no sale');
    world.gateway.script.find = () => [transaction(request)];
    world.clock.now += 60_000;
    await runSchedule(world.deps);
    expect(await viewSale(world)).toMatchObject({ state: 'approved' });
    expect(await world.ledger()).toHaveLength(1);
    expect(world.mails).toHaveLength(1);
  });

  it('keeps the invoice closed for the hold period, then releases it', async () => {
    const world = await makeCounter();
    world.gateway.script.sale = () => LOST_OUTCOME;
    await world.sell();
    for (let minute = 1; minute < 15; minute++) {
      world.clock.now += 60_000;
      await runSchedule(world.deps);
      expect((await payByLink(world)).kind).toBe('at-the-desk');
    }
    world.clock.now += 120_000;
    await runSchedule(world.deps);
    expect(await viewSale(world)).toMatchObject({ state: 'not-charged' });
    expect((await world.start()).kind).toBe('started');
  });

  it('is found while still marked as sent after its Worker ended', async () => {
    const world = await makeCounter();
    const outcome = await world.start();
    if (outcome.kind !== 'started') throw new Error(outcome.kind);
    world.gateway.script.find = () => [
      transaction({
        attemptId: outcome.counter.sale.attempt.id,
        dedupeKey: outcome.counter.sale.attempt.dedupeKey,
        amountCents: 18_400,
        terminal: { accountId: world.accountId, terminalId: world.front, sealedApiKey: '' },
      }),
    ];
    world.clock.now += 20_000;
    await runSchedule(world.deps);
    expect((await world.attempt())?.state).toBe('sent');
    world.clock.now += 20_000;
    await runSchedule(world.deps);
    expect((await world.attempt())?.state).toBe('approved');
    // The terminal's own answer arrives late.
    await runTerminalSale(world.deps, outcome.counter);
    expect(await world.ledger()).toHaveLength(1);
    expect(world.mails).toHaveLength(1);
  });

  it('becomes unknown after the card reader’s time limit, not the one for online cards', async () => {
    const world = await makeCounter();
    await world.start();
    world.clock.now += 230_000;
    await runSchedule(world.deps);
    expect((await world.attempt())?.state).toBe('sent');
    world.clock.now += 15_000;
    await runSchedule(world.deps);
    expect((await world.attempt())?.state).toBe('unknown');
  });
});

it('a charge found for a cancelled sale goes to manual review', async () => {
  const world = await makeCounter();
  world.gateway.script.sale = () => endedOutcome('cancelled');
  await world.sell();
  const [request] = world.gateway.sales;
  if (!request) throw new Error('no sale');
  world.gateway.script.find = () => [transaction(request)];
  world.clock.now += 25 * 3_600_000;
  await runSchedule(world.deps);
  expect((await world.attempt())?.state).toBe('needs_human');
  expect(await viewSale(world)).toMatchObject({ state: 'needs-a-person' });
});
