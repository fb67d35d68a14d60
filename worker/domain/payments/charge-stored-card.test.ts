import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { makeCardWorld } from '#tests/support/unit/stored-cards';
import { eventsOf } from '#tests/support/unit/trail';
import { freshId, transaction } from '#tests/support/unit/world';
import { accounts, storedCards } from '#worker/data/schema/schema';
import { openParts, switchParts } from '#worker/domain/installments/open-and-close';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { removeCardByStaff } from '#worker/domain/stored-cards/end-card';
import type { ChargeOutcome, StoredCardChargeRequest } from '#worker/vendors/gateway-port';
import { CrmError } from '#worker/vendors/hubspot/port';
import { runSchedule } from '../run-schedule.ts';
import { takePayment } from './take-payment.ts';

/** A clinic with a card on file, and the id of the customer's next bill of $50. */
async function makeCharged(overrides: Record<string, unknown> = {}) {
  const world = await makeCardWorld(overrides);
  await world.payKeeping();
  await runSchedule(world.deps);
  return { world, bill: world.nextBill() };
}
const declined = (request: StoredCardChargeRequest): ChargeOutcome => ({
  kind: 'declined',
  message: 'Insufficient funds',
  providerCode: '012',
  txn: transaction(request, { state: 'declined', result: 'DECLINED' }),
  exchangeId: 'x',
});

describe('a charge of a card on file', () => {
  it('charges the current CRM balance once, books it, closes the invoice and mails a receipt that removes the card', async () => {
    const { world, bill } = await makeCharged();
    const outcome = await world.charge(bill);
    expect(outcome).toMatchObject({ kind: 'charge', attempt: { state: 'approved', amountCents: 5_000 } });
    const card = await world.card();
    expect(world.gateway.cardCharges).toMatchObject([
      { amountCents: 5_000, dedupeKey: `${bill}-1`, terminal: { terminalId: card?.terminalId } },
    ]);
    expect(world.gateway.cardCharges[0]?.card.sealedToken()).toBe(card?.token);
    const [attempt] = await world.attemptsOf(bill);
    expect(attempt).toMatchObject({
      channel: 'stored-card',
      method: 'card',
      storedCardId: card?.id,
      payId: null,
      receiptTo: 'marta@example.test',
      payerFirstName: 'Marta',
    });
    world.mails.length = 0;
    await runSchedule(world.deps);
    const address = `http://localhost:8787/card/${card?.removeKey}`;
    expect(world.mails).toMatchObject([{ to: 'marta@example.test', text: expect.stringContaining(address) }]);
    expect(world.mails[0]?.html).toContain(`href="${address}"`);
    const claims = (await eventsOf(world.accountId)).filter(({ action }) => action === 'payment.claimed');
    expect(claims.at(-1)?.after).toContain('"channel":"stored-card"');
  });

  it('made twice with one key charges once, and both requests get the same charge', async () => {
    const { world, bill } = await makeCharged();
    const key = crypto.randomUUID();
    const both = await Promise.all([world.charge(bill, { key }), world.charge(bill, { key })]);
    const third = await world.charge(bill, { key });
    expect(world.gateway.cardCharges).toHaveLength(1);
    const [attempt] = await world.attemptsOf(bill);
    for (const outcome of [...both, third])
      expect(outcome).toMatchObject({ kind: 'charge', attempt: { id: attempt?.id } });
  });

  it('is not repeated with the key of a declined charge, and another key charges again', async () => {
    const { world, bill } = await makeCharged();
    world.gateway.script.chargeCard = declined;
    const key = crypto.randomUUID();
    const refused = { kind: 'charge', attempt: { state: 'declined', message: 'Insufficient funds' } };
    expect(await world.charge(bill, { key })).toMatchObject(refused);
    world.gateway.script.chargeCard = (request) => ({ kind: 'approved', txn: transaction(request), exchangeId: 'x' });
    expect(await world.charge(bill, { key })).toMatchObject(refused);
    expect(world.gateway.cardCharges).toHaveLength(1);
    expect(await world.charge(bill)).toMatchObject({ kind: 'charge', attempt: { state: 'approved' } });
  });

  it('with a key whose request was refused never charges, even if it arrives again', async () => {
    const { world, bill } = await makeCharged();
    const key = crypto.randomUUID();
    const { getInvoice } = world.deps.crm;
    world.deps.crm.getInvoice = () => Promise.reject(new CrmError('unavailable', 'down'));
    expect(await world.charge(bill, { key })).toEqual({ kind: 'crm-unavailable' });
    world.deps.crm.getInvoice = getInvoice;
    expect(await world.charge(bill, { key })).toEqual({ kind: 'not-started' });
    expect(world.gateway.cardCharges).toEqual([]);
    expect((await world.charge(bill)).kind).toBe('charge');
  });

  it('is refused for another amount than the CRM’s, and nothing is sent', async () => {
    const { world, bill } = await makeCharged();
    for (const amountCents of [4_999, 5_001])
      expect(await world.charge(bill, { amountCents })).toEqual({ kind: 'amount-changed' });
    expect(await world.attemptsOf(bill)).toEqual([]);
    expect(world.gateway.cardCharges).toEqual([]);
  });

  it('of an installment has an amount that the installments permit, and leaves the rest due', async () => {
    const { world } = await makeCharged();
    const bill = world.nextBill(18_400);
    const manager = { ...world.desk, role: 'manager' as const };
    await issuePayLink(world.deps, world.accountId, bill);
    await switchParts(world.deps, manager, true);
    expect(await openParts(world.deps, manager, bill, { minCents: 2_000, deposit: null })).toMatchObject({
      kind: 'opened',
      baseCents: 18_400,
    });
    // Below the minimum, above the amount owed, and with a rest below the minimum.
    for (const amountCents of [1_999, 18_401, 16_401])
      expect(await world.charge(bill, { amountCents })).toMatchObject({ kind: 'part-refused' });
    expect(world.gateway.cardCharges).toEqual([]);
    const first = await world.charge(bill, { amountCents: 5_000 });
    expect(first).toMatchObject({ kind: 'charge', attempt: { state: 'approved', amountCents: 5_000, part: 1 } });
    expect(await world.charge(bill, { amountCents: 13_401 })).toMatchObject({ kind: 'part-refused' });
    const last = await world.charge(bill, { amountCents: 13_400 });
    expect(last).toMatchObject({ kind: 'charge', attempt: { state: 'approved', amountCents: 13_400, part: 2 } });
    expect(world.gateway.cardCharges.map(({ amountCents }) => amountCents)).toEqual([5_000, 13_400]);
  });

  it('with a lost answer stays unknown, keeps the invoice closed, and is found by its order id', async () => {
    const { world, bill } = await makeCharged();
    world.gateway.script.chargeCard = () => ({ kind: 'unknown', cause: 'TimeoutError', exchangeId: '' });
    const key = crypto.randomUUID();
    expect(await world.charge(bill, { key })).toMatchObject({ kind: 'charge', attempt: { state: 'unknown' } });
    expect(await world.charge(bill)).toEqual({ kind: 'being-paid' });
    const link = await issuePayLink(world.deps, world.accountId, bill);
    const paid = await takePayment(world.deps, link?.payId ?? '', paymentForm(), { clientIp: null });
    expect(paid).toMatchObject({ kind: 'pending' });
    expect(world.gateway.charges).toHaveLength(1);
    const [request] = world.gateway.cardCharges;
    world.gateway.script.find = (by) => (request && 'attemptId' in by ? [transaction(request)] : []);
    world.clock.now += 60_000;
    await runSchedule(world.deps);
    expect(await world.charge(bill, { key })).toMatchObject({ kind: 'charge', attempt: { state: 'approved' } });
    expect(world.gateway.cardCharges).toHaveLength(1);
  });

  it('without a record at the gateway counts as not charged in the end', async () => {
    const { world, bill } = await makeCharged();
    world.gateway.script.chargeCard = () => ({ kind: 'unknown', cause: 'TimeoutError', exchangeId: '' });
    const key = crypto.randomUUID();
    await world.charge(bill, { key });
    for (let turn = 0; turn < 12; turn++) {
      world.clock.now += 10 * 60_000;
      await runSchedule(world.deps);
    }
    expect(await world.charge(bill, { key })).toMatchObject({ kind: 'charge', attempt: { state: 'not_charged' } });
    expect(world.gateway.cardCharges).toHaveLength(1);
  });

  it('is refused while another payment of the invoice is open or made', async () => {
    const { world, bill } = await makeCharged();
    expect((await world.charge(bill)).kind).toBe('charge');
    expect(await world.charge(bill)).toEqual({ kind: 'already-paid' });
  });

  it('is refused for an invoice of another customer', async () => {
    const { world, bill } = await makeCharged();
    if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, contactId: String(freshId()) };
    expect(await world.charge(bill)).toEqual({ kind: 'other-customer' });
    expect(world.gateway.cardCharges).toEqual([]);
  });

  it('finds no card or invoice of another account', async () => {
    const { world, bill } = await makeCharged();
    const other = await makeCharged();
    const foreignCard = (await other.world.card())?.id ?? '';
    expect(await world.charge(bill, { cardId: foreignCard })).toEqual({ kind: 'not-found' });
    expect(await world.charge(bill, { cardId: 'unknown' })).toEqual({ kind: 'not-found' });
    expect(other.world.gateway.cardCharges).toEqual([]);
  });

  it('is refused once the switch is off, and the cards stay', async () => {
    const { world, bill } = await makeCharged();
    await world.db.update(accounts).set({ keepsCards: false }).where(eq(accounts.accountId, world.accountId));
    expect(await world.charge(bill)).toEqual({ kind: 'cards-on-file-off' });
    expect(await world.card()).toMatchObject({ endedAt: null });
  });

  it('is refused while the account is closing', async () => {
    const { world, bill } = await makeCharged();
    await world.db
      .update(accounts)
      .set({ closesAt: world.clock.now + 9e8 })
      .where(eq(accounts.accountId, world.accountId));
    expect(await world.charge(bill)).toEqual({ kind: 'closing' });
  });

  it('reads the card at the provider first: a deleted card ends here and is never charged again', async () => {
    const { world, bill } = await makeCharged();
    world.gateway.script.readCard = () => ({ kind: 'ended' });
    expect(await world.charge(bill)).toEqual({ kind: 'card-removed' });
    expect(await world.card()).toMatchObject({ endedReason: 'deleted_at_provider' });
    world.gateway.script.readCard = () => ({ kind: 'active', brand: 'VISA', lastFour: '1111', expiresOn: '2029-04' });
    expect(await world.charge(bill)).toEqual({ kind: 'card-removed' });
    expect(world.gateway.cardCharges).toEqual([]);
  });

  it('is refused while the provider does not answer about the card', async () => {
    const { world, bill } = await makeCharged();
    world.gateway.script.readCard = () => ({ kind: 'unavailable' });
    expect(await world.charge(bill)).toEqual({ kind: 'gateway-unavailable' });
    expect(await world.card()).toMatchObject({ endedAt: null });
    expect(world.gateway.cardCharges).toEqual([]);
  });

  it('is refused for an expired card, unless the provider has a new expiry', async () => {
    const { world, bill } = await makeCharged();
    world.gateway.script.readCard = () => ({ kind: 'active', brand: 'VISA', lastFour: '1111', expiresOn: '2026-02' });
    expect(await world.charge(bill)).toEqual({ kind: 'card-expired' });
    world.gateway.script.readCard = () => ({ kind: 'active', brand: 'VISA', lastFour: '1111', expiresOn: '2026-03' });
    expect((await world.charge(bill)).kind).toBe('charge');
    expect(await world.card()).toMatchObject({ expiresOn: '2026-03' });
  });

  it('loses against a removal at the same moment', async () => {
    const { world, bill } = await makeCharged();
    const id = (await world.card())?.id ?? '';
    const { readStoredCard } = world.deps.gateway;
    world.deps.gateway.readStoredCard = async (terminal, card) => {
      const state = await readStoredCard(terminal, card);
      await removeCardByStaff(world.deps, world.desk, id);
      return state;
    };
    expect(await world.charge(bill)).toEqual({ kind: 'card-removed' });
    expect(world.gateway.cardCharges).toEqual([]);
  });

  it('reports a token that the gateway refuses, and credentials that it refuses', async () => {
    const { world, bill } = await makeCharged();
    const rejected = (reason: 'token' | 'credentials'): ChargeOutcome => ({
      kind: 'rejected',
      reason,
      message: 'card: the token is not active',
      providerCode: '',
    });
    world.gateway.script.chargeCard = () => rejected('token');
    expect(await world.charge(bill)).toMatchObject({ kind: 'charge', attempt: { state: 'rejected', refusal: '' } });
    world.gateway.script.chargeCard = () => rejected('credentials');
    const outcome = await world.charge(bill);
    expect(outcome).toMatchObject({ kind: 'charge', attempt: { state: 'rejected', refusal: 'credentials' } });
    expect(world.logs).toContain('ALERT gateway-refused-our-credentials');
  });

  it('uses only a card that has a token', async () => {
    const { world, bill } = await makeCharged();
    await world.db.update(storedCards).set({ token: '' }).where(eq(storedCards.accountId, world.accountId));
    expect(await world.charge(bill)).toEqual({ kind: 'gateway-unavailable' });
    expect(world.gateway.cardCharges).toEqual([]);
  });
});
