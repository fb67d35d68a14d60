import { describe, expect, it } from 'vitest';
import { keepCardConsent } from '#shared/words/stored-card-words';
import { paymentForm } from '#tests/support/pay-form';
import { makeCardWorld } from '#tests/support/unit/stored-cards';
import { eventsOf } from '#tests/support/unit/trail';
import { declinedOutcome, lostOutcome, transaction } from '#tests/support/unit/world';
import { accounts } from '#worker/data/schema/schema';
import { setCardsOnFile, viewCardsOnFile } from '#worker/domain/pay-page/cards-on-file';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { takePayment } from '#worker/domain/payments/take-payment';
import { boundTo } from '#worker/security/token-cipher';
import { runSchedule } from '../run-schedule.ts';
import { viewStoredCards } from './view-cards.ts';

const manager = (accountId: number) => ({ sessionId: '', accountId, userId: 1, role: 'manager' as const });

describe('the offer to keep a card', () => {
  it('is made only while the account keeps cards and the invoice has a contact', async () => {
    const world = await makeCardWorld();
    expect(await viewLink(world.deps, world.payId)).toMatchObject({ kind: 'ready', view: { keepCard: true } });
    await setCardsOnFile(world.deps, manager(world.accountId), false);
    expect(await viewLink(world.deps, world.payId)).not.toHaveProperty('view.keepCard');
    const withoutContact = await makeCardWorld();
    if (withoutContact.crm.invoice) withoutContact.crm.invoice.contactId = '';
    withoutContact.clock.now += 120_000;
    expect(await viewLink(withoutContact.deps, withoutContact.payId)).toMatchObject({ kind: 'ready' });
    expect(await viewLink(withoutContact.deps, withoutContact.payId)).not.toHaveProperty('view.keepCard');
  });

  it('stores nothing without the tick, and asks the provider for no token', async () => {
    const world = await makeCardWorld();
    expect((await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null })).kind).toBe('approved');
    expect(world.gateway.charges).toMatchObject([{ amountCents: 18_400 }]);
    expect(world.gateway.charges[0]).not.toHaveProperty('keepCardAs');
    expect(await world.cards()).toEqual([]);
  });

  it('stores nothing if the account has stopped keeping cards since the page was opened, and charges the payment', async () => {
    const world = await makeCardWorld();
    await world.db.update(accounts).set({ keepsCards: false });
    expect((await world.payKeeping()).kind).toBe('approved');
    expect(world.gateway.charges[0]).not.toHaveProperty('keepCardAs');
    expect(await world.cards()).toEqual([]);
  });

  it('stores the sealed token with the words that were ticked, and shows staff brand, digits and expiry only', async () => {
    const world = await makeCardWorld();
    expect((await world.payKeeping()).kind).toBe('approved');
    await runSchedule(world.deps);
    const [attempt] = await world.attempts();
    const card = await world.card();
    const words = keepCardConsent('en', 'Maple Street Dental');
    expect(card).toMatchObject({
      id: attempt?.id,
      contactId: world.crm.invoice?.contactId,
      terminalId: `T${world.accountId}`,
      brand: 'VISA',
      lastFour: '1111',
      expiresOn: '2029-04',
      consentWords: words,
      consentLanguage: 'en',
      consentAt: attempt?.createdAt,
      email: 'marta@example.test',
      endedAt: null,
    });
    expect(card?.token).not.toContain('tok-');
    expect(await world.deps.sealer.open(card?.token ?? '', boundTo.storedCard(card?.id ?? ''))).toBe(`tok-${card?.id}`);
    const shown = await viewStoredCards(world.deps, world.desk, card?.contactId ?? '');
    expect(shown).toEqual({
      cards: [
        {
          id: card?.id,
          brand: 'VISA',
          last4: '1111',
          expiresOn: '2029-04',
          consent: { words, language: 'en', givenAt: '2026-03-04T15:00:00.000Z' },
          usable: true,
        },
      ],
    });
    const events = (await eventsOf(world.accountId)).filter(({ action }) => action === 'card.stored');
    expect(events).toMatchObject([{ subjectKind: 'stored-card', subjectId: card?.id, actorKind: 'payer' }]);
  });

  it('stores the words in the language of the payer’s page', async () => {
    const world = await makeCardWorld();
    await takePayment(world.deps, world.payId, paymentForm({ keepCard: true }), { clientIp: null, language: 'es' });
    expect(await world.card()).toMatchObject({
      consentLanguage: 'es',
      consentWords: keepCardConsent('es', 'Maple Street Dental'),
    });
  });

  it('stores no card of a declined payment', async () => {
    const world = await makeCardWorld();
    world.gateway.script.charge = declinedOutcome;
    expect((await world.payKeeping()).kind).toBe('declined');
    expect(await world.cards()).toEqual([]);
  });

  it('stores the card of a payment whose answer was lost, once the gateway has reported payment and token', async () => {
    const world = await makeCardWorld();
    world.gateway.script.charge = () => lostOutcome;
    expect((await world.payKeeping()).kind).toBe('pending');
    expect(await world.cards()).toEqual([]);
    const [request] = world.gateway.charges;
    if (!request) throw new Error('nothing was charged');
    world.gateway.script.find = () => [transaction(request)];
    world.clock.now += 60_000;
    await runSchedule(world.deps);
    expect(await world.card()).toMatchObject({ token: '', endedAt: null });
    const { sealedRef } = await import('#tests/support/unit/stored-cards');
    const ref = await sealedRef(world, request.attemptId);
    world.gateway.script.findCard = (providerTxnId) => (providerTxnId === `txn-${request.attemptId}` ? ref : 'none');
    world.clock.now += 3_600_000;
    await runSchedule(world.deps);
    expect(await world.card()).toMatchObject({ token: ref.sealedToken(), expiresOn: '2029-04' });
  });

  it('ends a card whose token the provider never reports', async () => {
    const world = await makeCardWorld();
    world.gateway.script.charge = (request) => ({ kind: 'approved', txn: transaction(request), exchangeId: 'x' });
    await world.payKeeping();
    world.clock.now += 71 * 3_600_000;
    await runSchedule(world.deps);
    expect(await world.card()).toMatchObject({ endedAt: null });
    world.clock.now += 2 * 3_600_000;
    await runSchedule(world.deps);
    expect(await world.card()).toMatchObject({ endedReason: 'deleted_at_provider', nextAt: null });
    expect(world.gateway.cardDeletions).toEqual([]);
  });

  it('replaces the same card of the same customer, and deletes the earlier token', async () => {
    const world = await makeCardWorld();
    await world.payKeeping();
    const first = await world.card();
    world.nextBill();
    const { issuePayLink } = await import('#worker/domain/pay-links/pay-link');
    const link = await issuePayLink(world.deps, world.accountId, world.crm.invoice?.id ?? '');
    const outcome = await takePayment(world.deps, link?.payId ?? '', paymentForm({ keepCard: true }), {
      clientIp: null,
    });
    expect(outcome.kind).toBe('approved');
    await runSchedule(world.deps);
    const cards = await world.cards();
    expect(cards).toHaveLength(2);
    expect(cards.find(({ id }) => id === first?.id)).toMatchObject({
      endedReason: 'replaced',
      token: '',
      nextAt: null,
    });
    expect(cards.find(({ id }) => id !== first?.id)).toMatchObject({ endedAt: null });
    expect(world.gateway.cardDeletions).toEqual([first?.id]);
    const ends = (await eventsOf(world.accountId)).filter(({ action }) => action === 'card.ended');
    expect(ends).toMatchObject([{ actorKind: 'payer', subjectKind: 'stored-card', subjectId: first?.id }]);
    expect(JSON.parse(ends[0]?.after ?? '')).toEqual({ card: 'VISA', contact: first?.contactId, reason: 'replaced' });
  });
});

describe('the switch of the cards on file', () => {
  it('is off by default, and each change is in the trail', async () => {
    const world = await makeCardWorld();
    await world.db.update(accounts).set({ keepsCards: false });
    const merchant = manager(world.accountId);
    expect(await viewCardsOnFile(world.deps, merchant)).toEqual({ is_on: false, is_available: true });
    expect(await setCardsOnFile(world.deps, merchant, true)).toEqual({ is_on: true, is_available: true });
    const events = (await eventsOf(world.accountId)).filter(({ action }) => action === 'cards-on-file.changed');
    expect(events.map(({ before, after }) => [before, after])).toEqual([['{"on":false}', '{"on":true}']]);
  });

  it('cannot be turned on in production until the provider has confirmed sales by the merchant', async () => {
    const world = await makeCardWorld({ GATEWAY_SANDBOX: 'false' });
    const merchant = manager(world.accountId);
    expect(await viewCardsOnFile(world.deps, merchant)).toEqual({ is_on: false, is_available: false });
    expect(await setCardsOnFile(world.deps, merchant, true)).toBeNull();
    expect(await viewLink(world.deps, world.payId)).not.toHaveProperty('view.keepCard');
    await world.payKeeping();
    expect(await world.cards()).toEqual([]);
    const confirmed = await makeCardWorld({ GATEWAY_SANDBOX: 'false', MERCHANT_INITIATED_SALES: 'confirmed' });
    expect(await setCardsOnFile(confirmed.deps, manager(confirmed.accountId), true)).toMatchObject({ is_on: true });
  });
});
