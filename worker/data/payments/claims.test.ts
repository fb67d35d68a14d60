import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type BareBooks, bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT, eventOf } from '#tests/support/unit/rows';
import { eventsOf } from '#tests/support/unit/trail';
import { refusedKeys, refusedTokens } from '#worker/data/schema/invoices';
import { attemptStates } from '#worker/data/schema/payments';
import { payLinks } from '#worker/data/schema/schema';
import { claimAttempt, LIVE_ATTEMPT_STATES, type NewAttempt } from './attempts.ts';
import type { Submission } from './decline-counts.ts';

const newAttempt: NewAttempt = {
  id: 'new',
  accountId: ACCOUNT,
  invoiceId: '1',
  collection: 1,
  terminalId: 'T1',
  channel: 'link',
  method: 'card',
  amountCents: 10_000,
  currency: 'USD',
  invoiceNumber: 'INV-1',
  dedupeKey: '1-1',
  receiptId: 'receipt-new',
  holdUntil: NOW,
  createdAt: NOW,
  payId: 'link-1',
  attemptKey: 'key-1',
  tokenHash: 'token-1',
  ipKey: 'ip-1',
};
const submission: Submission = {
  payId: 'link-1',
  ipKey: 'ip-1',
  now: NOW,
  perLinkHour: 3,
  perIpHour: 4,
  declinedElsewhere: 0,
};

type Link = Partial<typeof payLinks.$inferInsert>;

/** Two invoices, each with a link. */
async function addTwoLinks(link: Link = {}, invoice = {}) {
  const fixture = await bareBooks();
  for (const id of ['1', '2']) {
    await fixture.addInvoice(id, id === '1' ? invoice : {});
    const row = { payId: `link-${id}`, accountId: ACCOUNT, invoiceId: id, issuedAt: 1, endsAt: NOW + 1 };
    await fixture.db.insert(payLinks).values({ ...row, ...(id === '1' && link) });
  }
  const claim = (overrides: Partial<NewAttempt> = {}, guard: Parameters<typeof claimAttempt>[2] = submission) =>
    claimAttempt(fixture.db, { ...newAttempt, ...overrides }, guard, eventOf('payment.claimed', { subjectId: 'new' }));
  const claimSucceeds = async (...args: Parameters<typeof claim>) => (await claim(...args)).isClaimed;
  return { ...fixture, claim, wins: claimSucceeds };
}

describe('claiming an invoice', () => {
  it('writes a row and an event, once', async () => {
    const { claim, db } = await addTwoLinks();
    expect(await claim()).toEqual({ isClaimed: true, others: [] });
    const row = await db.query.paymentAttempts.findFirst();
    expect(row).toMatchObject({ ...newAttempt, state: 'sent', part: 1, settledAt: null });
    expect(await claim()).toEqual({ isClaimed: false, others: [] });
    expect(await claim({ id: 'again', receiptId: 'r2', tokenHash: 'token-2' })).toMatchObject({
      isClaimed: false,
      others: [{ id: 'new', state: 'sent' }],
    });
    expect(await eventsOf(ACCOUNT, 'payment.claimed')).toHaveLength(1);
  });

  it.each<[string, Link, object]>([
    ['the link was revoked', { state: 'revoked' }, {}],
    ['the link ends at that moment', { revokeAt: NOW }, {}],
    ['the invoice is in another collection', {}, { collection: 2 }],
    ['the invoice was paid', {}, { localStatus: 'paid' }],
  ])('fails when %s', async (_title, link, invoice) => {
    const { wins } = await addTwoLinks(link, invoice);
    expect(await wins()).toBe(false);
    expect(await eventsOf(ACCOUNT)).toEqual([]);
  });

  it('succeeds with a link that ends later', async () => {
    const { wins } = await addTwoLinks({ revokeAt: NOW + 1 });
    expect(await wins()).toBe(true);
  });

  it('needs a live link of its invoice, except at the desk', async () => {
    const { wins } = await addTwoLinks({ state: 'revoked' });
    expect(await wins()).toBe(false);
    expect(await wins({ payId: null })).toBe(true);
  });

  it.each<[string, (fixture: BareBooks) => Promise<unknown>, isClaimed: boolean]>([
    ['a payment in manual review', ({ addAttempt }) => addAttempt('1', { state: 'needs_human', collection: 2 }), false],
    ['a payment of another invoice', ({ addAttempt }) => addAttempt('2', { state: 'needs_human' }), true],
    ['a declined payment', ({ addAttempt }) => addAttempt('1', { state: 'declined' }), true],
    ['its refused token', ({ db }) => db.insert(refusedTokens).values({ tokenHash: 'token-1', refusedAt: 1 }), false],
    [
      'another refused token',
      ({ db }) => db.insert(refusedTokens).values({ tokenHash: 'token-2', refusedAt: 1 }),
      true,
    ],
    ['its refused key', ({ db }) => db.insert(refusedKeys).values(refusedKey('1', 'key-1')), false],
    ['another refused key', ({ db }) => db.insert(refusedKeys).values(refusedKey('1', 'key-2')), true],
    ['a refused key of another invoice', ({ db }) => db.insert(refusedKeys).values(refusedKey('2', 'key-1')), true],
  ])('with %s, succeeds unless this blocks the claim', async (_title, add, isClaimed) => {
    const fixture = await addTwoLinks();
    await add(fixture);
    expect(await fixture.wins()).toBe(isClaimed);
  });

  it('succeeds only if its own guard is true', async () => {
    const { wins } = await addTwoLinks();
    expect([await wins({}, sql`0`), await wins({}, sql`1`)]).toEqual([false, true]);
  });

  it.each(attemptStates.filter((state) => LIVE_ATTEMPT_STATES.includes(state)))(
    'returns a payment that is %s',
    async (state) => {
      const fixture = await addTwoLinks();
      await fixture.addAttempt('1', { id: 'other', state });
      expect(await fixture.claim()).toMatchObject({ isClaimed: false, others: [{ id: 'other' }] });
    },
  );

  it('returns no ended payment and none of another invoice, but every payment with its token', async () => {
    const fixture = await addTwoLinks();
    await fixture.addAttempt('1', { state: 'declined' });
    await fixture.addAttempt('2', { state: 'approved' });
    await fixture.addAttempt('2', { id: 'same', state: 'declined', tokenHash: 'token-1', receiptId: 'r' });
    expect((await fixture.claim()).others.map(({ id }) => id)).toEqual(['same']);
  });
});

const refusedKey = (invoiceId: string, attemptKey: string) => ({
  accountId: ACCOUNT,
  invoiceId,
  attemptKey,
  refusedAt: 1,
});
