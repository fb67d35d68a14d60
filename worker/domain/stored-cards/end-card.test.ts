import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { type CardWorld, makeCardWorld, sealedRef } from '#tests/support/unit/stored-cards';
import { eventsOf } from '#tests/support/unit/trail';
import { transaction } from '#tests/support/unit/world';
import { storedCards, terminals } from '#worker/data/schema/schema';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { takePayment } from '#worker/domain/payments/take-payment';
import { eraseCustomerData, summarizeCustomerData } from '#worker/domain/retention/customer-data';
import { erasePerson } from '#worker/domain/retention/erase';
import { runSchedule } from '../run-schedule.ts';
import { removeCardByStaff } from './end-card.ts';
import { expiryOf, isExpired, nextStepOf } from './expiry.ts';
import { removeCardByPayer, viewRemovableCard } from './remove-page.ts';
import { viewStoredCards } from './view-cards.ts';

async function makeStored() {
  const world = await makeCardWorld();
  await world.payKeeping();
  await runSchedule(world.deps);
  world.mails.length = 0;
  const card = await world.card();
  if (!card) throw new Error('no card was stored');
  return { world, card };
}

describe('a removed card', () => {
  it('ends here and at the provider when the payer opens the link and confirms, and the payer gets a confirmation', async () => {
    const { world, card } = await makeStored();
    expect(await viewRemovableCard(world.deps, card.removeKey)).toMatchObject({
      business: 'Maple Street Dental',
      card: { endedAt: null },
    });
    expect(world.gateway.cardDeletions).toEqual([]);
    expect(await removeCardByPayer(world.deps, card.removeKey)).toMatchObject({
      card: { endedReason: 'removed_by_payer' },
    });
    expect(world.gateway.cardDeletions).toEqual([card.id]);
    expect(await world.card()).toMatchObject({ token: '', nextAt: null });
    expect((await viewStoredCards(world.deps, world.desk, card.contactId)).cards).toEqual([]);
    await runSchedule(world.deps);
    expect(world.mails).toMatchObject([{ to: 'marta@example.test', subject: 'Card removed at Maple Street Dental' }]);
    expect(world.mails[0]?.text).toContain('VISA •••• 1111');
    const events = (await eventsOf(world.accountId)).filter(({ action }) => action === 'card.ended');
    expect(events).toMatchObject([
      { actorKind: 'payer', subjectId: card.id, after: expect.stringContaining('removed_by_payer') },
    ]);
  });

  it('stays removed when the page is confirmed again, without another mail or event', async () => {
    const { world, card } = await makeStored();
    await removeCardByPayer(world.deps, card.removeKey);
    const endedAt = (await world.card())?.endedAt;
    world.clock.now += 60_000;
    expect(await removeCardByPayer(world.deps, card.removeKey)).toMatchObject({ card: { endedAt } });
    expect((await eventsOf(world.accountId)).filter(({ action }) => action === 'card.ended')).toHaveLength(1);
    expect(world.gateway.cardDeletions).toHaveLength(1);
  });

  it('is unknown under another key', async () => {
    const { world } = await makeStored();
    expect(await removeCardByPayer(world.deps, 'no-such-key')).toBeNull();
    expect(await world.card()).toMatchObject({ endedAt: null });
  });

  it('is removed by staff of its own account only', async () => {
    const { world, card } = await makeStored();
    const other = await makeStored();
    expect(await removeCardByStaff(other.world.deps, other.world.desk, card.id)).toBe(false);
    expect(await world.card()).toMatchObject({ endedAt: null });
    expect(await removeCardByStaff(world.deps, world.desk, card.id)).toBe(true);
    expect(await world.card()).toMatchObject({ endedReason: 'removed_by_staff' });
  });

  it('ends at once although the provider does not answer, and its deletion is repeated until it does', async () => {
    const { world, card } = await makeStored();
    world.gateway.script.deleteCard = () => 'unavailable';
    await removeCardByStaff(world.deps, world.desk, card.id);
    expect(await world.card()).toMatchObject({ endedReason: 'removed_by_staff', token: card.token });
    await runSchedule(world.deps);
    world.gateway.script.deleteCard = () => 'deleted';
    await runSchedule(world.deps);
    expect(world.gateway.cardDeletions).toHaveLength(2);
    world.clock.now += 3_600_000;
    await runSchedule(world.deps);
    expect(world.gateway.cardDeletions).toHaveLength(3);
    expect(await world.card()).toMatchObject({ token: '', nextAt: null });
  });

  it('is deleted again at its own terminal if another one did not find it', async () => {
    const { world, card } = await makeStored();
    world.gateway.script.deleteCard = () => 'not-found';
    const isOwn = eq(terminals.terminalId, card.terminalId);
    const [own] = await world.db.select().from(terminals).where(isOwn);
    if (!own) throw new Error('the terminal is missing');
    await world.db.insert(terminals).values({ ...own, terminalId: `${own.terminalId}-2` });
    const refuseOwnTerminal = (refusedAt: number | null) => world.db.update(terminals).set({ refusedAt }).where(isOwn);
    await refuseOwnTerminal(world.clock.now);
    await removeCardByStaff(world.deps, world.desk, card.id);
    expect(await world.card()).toMatchObject({ token: card.token });
    await refuseOwnTerminal(null);
    world.clock.now += 3_600_000;
    await runSchedule(world.deps);
    expect(await world.card()).toMatchObject({ token: '', nextAt: null });
  });

  it('hands the provider the open cards that may have the same token', async () => {
    const { world, card } = await makeStored();
    const other = { ...card, id: 'other', contactId: '1', removeKey: 'other-key' };
    await world.db.insert(storedCards).values({ ...other, token: (await sealedRef(world, 'other')).sealedToken() });
    let kept: string[] = [];
    world.gateway.script.deleteCard = (_card, keptCards) => {
      kept = keptCards.map(({ cardId }) => cardId);
      return 'deleted';
    };
    await removeCardByStaff(world.deps, world.desk, card.id);
    expect(kept).toEqual(['other']);
  });

  it('waits at the provider while a similar open card has no token yet, which may be the same', async () => {
    const { world, card } = await makeStored();
    const other = { ...card, id: 'other', contactId: '1', removeKey: 'other-key', token: '', nextAt: null };
    await world.db.insert(storedCards).values(other);
    await removeCardByStaff(world.deps, world.desk, card.id);
    expect(world.gateway.cardDeletions).toEqual([]);
    await world.db
      .update(storedCards)
      .set({ token: (await sealedRef(world, 'other')).sealedToken() })
      .where(eq(storedCards.id, 'other'));
    await runSchedule(world.deps);
    expect(world.gateway.cardDeletions).toEqual([card.id]);
  });
});

describe('a card that is removed before its token is known', () => {
  const makeWithoutToken = async () => {
    const world = await makeCardWorld();
    world.gateway.script.charge = (request) => ({ kind: 'approved', txn: transaction(request), exchangeId: 'x' });
    world.gateway.script.findCard = () => 'unavailable';
    await world.payKeeping();
    const card = await world.card();
    if (!card) throw new Error('no card was stored');
    return { world, card };
  };
  const hourLater = async (world: CardWorld) => {
    world.clock.now += 3_600_000;
    await runSchedule(world.deps);
  };

  it('is deleted at the provider once its token is known', async () => {
    const { world, card } = await makeWithoutToken();
    await removeCardByStaff(world.deps, world.desk, card.id);
    await hourLater(world);
    expect(world.gateway.cardDeletions).toEqual([]);
    const ref = await sealedRef(world, card.id);
    world.gateway.script.findCard = () => ref;
    await hourLater(world);
    expect(world.gateway.cardDeletions).toEqual([card.id]);
    expect(await world.card()).toMatchObject({ endedReason: 'removed_by_staff', token: '', nextAt: null });
    await hourLater(world);
    expect(world.gateway.cardDeletions).toHaveLength(1);
  });

  it('is looked for until the provider has answered, and not after 72 hours if it reports none', async () => {
    const { world, card } = await makeWithoutToken();
    await removeCardByStaff(world.deps, world.desk, card.id);
    world.clock.now += 73 * 3_600_000;
    await runSchedule(world.deps);
    expect((await world.card())?.nextAt).toBeGreaterThan(world.clock.now);
    world.gateway.script.findCard = () => 'none';
    await hourLater(world);
    expect(await world.card()).toMatchObject({ nextAt: null });
  });

  it('is deleted too if its customer is erased or keeps it again meanwhile', async () => {
    for (const reason of ['erased', 'replaced'] as const) {
      const { world, card } = await makeWithoutToken();
      if (reason === 'erased') {
        await erasePerson(world.deps, { accountId: world.accountId, email: card.email });
      } else {
        world.nextBill();
        const link = await issuePayLink(world.deps, world.accountId, world.crm.invoice?.id ?? '');
        world.gateway.script.charge = async (request) => ({
          kind: 'approved',
          txn: transaction(request),
          exchangeId: 'x',
          storedCard: await sealedRef(world, request.attemptId),
        });
        await takePayment(world.deps, link?.payId ?? '', paymentForm({ keepCard: true }), { clientIp: null });
      }
      const ref = await sealedRef(world, card.id);
      world.gateway.script.findCard = () => ref;
      await hourLater(world);
      expect(world.gateway.cardDeletions).toEqual([card.id]);
      const ended = (await world.cards()).find(({ id }) => id === card.id);
      expect(ended).toMatchObject({ endedReason: reason, nextAt: null });
    }
  });
});

describe('a card that the provider stored for a declined payment', () => {
  const declineKeeping = async (world: CardWorld, isNamed: boolean) => {
    world.nextBill();
    world.gateway.script.charge = async (request) => ({
      kind: 'declined',
      message: 'Declined',
      providerCode: '005',
      txn: isNamed ? transaction(request, { state: 'declined' }) : null,
      exchangeId: 'x',
      storedCard: await sealedRef(world, request.attemptId),
    });
    const link = await issuePayLink(world.deps, world.accountId, world.crm.invoice?.id ?? '');
    return takePayment(world.deps, link?.payId ?? '', paymentForm({ keepCard: true }), { clientIp: null });
  };

  it.each([true, false])('is deleted unless an open card has the same token, if it is named: %s', async (isNamed) => {
    const { world, card } = await makeStored();
    const kept: string[] = [];
    world.gateway.script.deleteCard = (_card, keptCards) => {
      kept.push(...keptCards.map(({ cardId }) => cardId));
      return 'deleted';
    };
    expect((await declineKeeping(world, isNamed)).kind).toBe('declined');
    expect(world.gateway.cardDeletions).toHaveLength(1);
    expect(kept).toEqual([card.id]);
    expect(await world.cards()).toHaveLength(1);
  });

  it('is not deleted while a similar open card has no token yet', async () => {
    const { world } = await makeStored();
    await world.db.update(storedCards).set({ token: '' });
    expect((await declineKeeping(world, true)).kind).toBe('declined');
    expect(world.gateway.cardDeletions).toEqual([]);
  });
});

describe('an expiring card', () => {
  it('is valid until the end of its month, in every American time zone', () => {
    const end = Date.UTC(2026, 4, 1, 12);
    expect([isExpired('2026-04', end - 1), isExpired('2026-04', end), isExpired('', end)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(expiryOf('2026-12')).toBe(Date.UTC(2027, 0, 1, 12));
    expect(nextStepOf({ expiresOn: '2026-04', expiryMailedAt: null })).toBe(end - 30 * 86_400_000);
    expect(nextStepOf({ expiresOn: '2026-04', expiryMailedAt: 1 })).toBe(end);
    expect(nextStepOf({ expiresOn: '', expiryMailedAt: null })).toBeNull();
  });

  it('is announced once, 30 days before, and ends at its end without a charge', async () => {
    const { world, card } = await makeStored();
    const expiry = Date.UTC(2029, 4, 1, 12);
    world.clock.now = expiry - 30 * 86_400_000 - 1;
    await runSchedule(world.deps);
    expect(world.mails).toEqual([]);
    world.clock.now += 1;
    await runSchedule(world.deps);
    await runSchedule(world.deps);
    world.clock.now += 86_400_000;
    await runSchedule(world.deps);
    expect(world.mails).toHaveLength(1);
    expect(world.mails[0]).toMatchObject({
      to: 'marta@example.test',
      subject: 'Your card on file at Maple Street Dental expires soon',
    });
    expect(world.mails[0]?.text).toContain('VISA •••• 1111, expires at the end of 04/2029');
    expect(world.mails[0]?.text).toContain(`/card/${card.removeKey}`);
    world.clock.now = expiry;
    await runSchedule(world.deps);
    expect(await world.card()).toMatchObject({ endedReason: 'expired', token: '' });
    const { cards } = await viewStoredCards(world.deps, world.desk, card.contactId);
    expect(cards).toMatchObject([{ id: card.id, usable: false, reason: 'expired' }]);
    expect(await world.charge(world.nextBill())).toEqual({ kind: 'card-expired' });
    expect(world.mails).toHaveLength(1);
  });

  it('is not announced if the provider has a new expiry', async () => {
    const { world } = await makeStored();
    world.clock.now = Date.UTC(2029, 3, 20);
    world.gateway.script.readCard = () => ({ kind: 'active', brand: 'VISA', lastFour: '1111', expiresOn: '2033-04' });
    await runSchedule(world.deps);
    expect(world.mails).toEqual([]);
    expect(await world.card()).toMatchObject({ expiresOn: '2033-04', endedAt: null });
  });
});

it('a customer’s data contain the card without its token, and their erasure ends the card at the provider', async () => {
  const { world, card } = await makeStored();
  const customer = { accountId: world.accountId, contactId: card.contactId };
  await env.DB.prepare(
    "INSERT INTO contacts (account_id, contact_id, email, read_at) VALUES (?1, ?2, 'marta@example.test', 0)",
  )
    .bind(world.accountId, card.contactId)
    .run();
  const summary = await summarizeCustomerData(world.deps, customer);
  expect(summary?.places).toContainEqual(expect.objectContaining({ label: 'Cards on file', rows: 1, erasable: 1 }));
  expect((await eraseCustomerData(world.deps, customer, 'marta@example.test')).kind).toBe('erased');
  expect(await world.card()).toMatchObject({ endedReason: 'erased', lastFour: '', email: '' });
  await runSchedule(world.deps);
  expect(world.gateway.cardDeletions).toEqual([card.id]);
  expect((await world.db.select().from(storedCards).where(eq(storedCards.id, card.id)))[0]).toMatchObject({
    token: '',
  });
});
