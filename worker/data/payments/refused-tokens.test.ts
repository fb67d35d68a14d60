import { describe, expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT } from '#tests/support/unit/rows';
import { refusedKeys, refusedTokens } from '#worker/data/schema/invoices';
import { attemptStates } from '#worker/data/schema/payments';
import { payLinks } from '#worker/data/schema/schema';
import { LIVE_ATTEMPT_STATES } from './attempts.ts';
import { isFormRefused, refuseForm, refuseSale } from './refused-tokens.ts';

const form = { payId: 'link-1', tokenHash: 'token-1', attemptKey: 'key-1' };
const sale = { accountId: ACCOUNT, id: '1', attemptKey: 'key-1' };

/** Two invoices, each with a link. */
async function addTwoInvoices() {
  const fixture = await bareBooks();
  for (const id of ['1', '2']) {
    await fixture.addInvoice(id);
    const row = { payId: `link-${id}`, accountId: ACCOUNT, invoiceId: id, issuedAt: 1, endsAt: NOW };
    await fixture.db.insert(payLinks).values(row);
  }
  const readRefused = async () => [
    (await fixture.db.select().from(refusedTokens)).map(({ tokenHash, refusedAt }) => `${tokenHash} ${refusedAt}`),
    (await fixture.db.select().from(refusedKeys)).map(({ invoiceId, attemptKey }) => `${invoiceId} ${attemptKey}`),
  ];
  return { ...fixture, refused: readRefused };
}

describe('a refused form', () => {
  it('blocks its token and its key once and permanently', async () => {
    const { db, refused } = await addTwoInvoices();
    for (const at of [NOW, NOW + 1]) expect(await refuseForm(db, form, at)).toBeNull();
    expect(await refused()).toEqual([[`token-1 ${NOW}`], ['1 key-1']]);
  });

  it('blocks only its token without a key', async () => {
    const { db, refused } = await addTwoInvoices();
    await refuseForm(db, { ...form, attemptKey: null }, NOW);
    expect(await refused()).toEqual([[`token-1 ${NOW}`], []]);
  });

  it('does not block an attempt’s token, and returns the attempt if it is of its own invoice', async () => {
    const fixture = await addTwoInvoices();
    await fixture.addAttempt('1', { id: 'own', state: 'declined', tokenHash: 'token-1', attemptKey: 'key-1' });
    await fixture.addAttempt('2', { id: 'other', tokenHash: 'token-2' });
    expect(await refuseForm(fixture.db, form, NOW)).toMatchObject({ id: 'own' });
    expect(await refuseForm(fixture.db, { ...form, tokenHash: 'token-2' }, NOW)).toBeNull();
    expect(await refuseForm(fixture.db, { ...form, payId: 'link-2', tokenHash: 'token-2' }, NOW)).toMatchObject({
      id: 'other',
    });
    expect(await fixture.refused()).toEqual([[], ['1 key-1', '2 key-1']]);
  });

  it.each(attemptStates.map((state) => [state, LIVE_ATTEMPT_STATES.includes(state)] as const))(
    'does not block the key of an attempt that is %s only if the attempt is live: %s',
    async (state, isLive) => {
      const fixture = await addTwoInvoices();
      await fixture.addAttempt('1', { state, attemptKey: 'key-1' });
      await refuseForm(fixture.db, form, NOW);
      expect(await fixture.refused()).toEqual([[`token-1 ${NOW}`], isLive ? [] : ['1 key-1']]);
    },
  );

  it.each([
    ['another invoice', '2', 'key-1'],
    ['another key', '1', 'key-2'],
  ])('blocks its key despite a live attempt with %s', async (_title, invoiceId, attemptKey) => {
    const fixture = await addTwoInvoices();
    await fixture.addAttempt(invoiceId, { attemptKey });
    await refuseForm(fixture.db, form, NOW);
    expect(await fixture.refused()).toEqual([[`token-1 ${NOW}`], ['1 key-1']]);
  });

  it('is recognized by its token, or by its key on its invoice’s link', async () => {
    const { db } = await addTwoInvoices();
    expect(await isFormRefused(db, form)).toBe(false);
    await refuseForm(db, form, NOW);
    const isRefused = (overrides: object) => isFormRefused(db, { ...form, ...overrides });
    expect(await isRefused({ payId: 'link-2', attemptKey: null })).toBe(true);
    expect(await isRefused({ tokenHash: 'token-2' })).toBe(true);
    expect(await isRefused({ tokenHash: 'token-2', attemptKey: 'key-2' })).toBe(false);
    expect(await isRefused({ tokenHash: 'token-2', payId: 'link-2' })).toBe(false);
    expect(await isRefused({ tokenHash: 'token-2', attemptKey: null })).toBe(false);
  });
});

describe('a refused sale at the desk', () => {
  it.each([
    ['1', '1'],
    ['link-1', '1'],
    ['2', '2'],
    ['link-2', '2'],
  ])('blocks its key, by the id %s of invoice %s', async (id, invoiceId) => {
    const { db, refused } = await addTwoInvoices();
    expect(await refuseSale(db, { ...sale, id }, NOW)).toBeNull();
    expect(await refuseSale(db, { ...sale, id }, NOW)).toBeNull();
    expect(await refused()).toEqual([[], [`${invoiceId} key-1`]]);
  });

  it('does not find another account’s invoice by its pay id', async () => {
    const { db, refused } = await addTwoInvoices();
    await refuseSale(db, { ...sale, accountId: ACCOUNT + 1, id: 'link-1' }, NOW);
    expect(await refused()).toEqual([[], ['link-1 key-1']]);
  });

  it.each(attemptStates.map((state) => [state, LIVE_ATTEMPT_STATES.includes(state)] as const))(
    'returns its own attempt that is %s only if it is live: %s',
    async (state, isLive) => {
      const fixture = await addTwoInvoices();
      await fixture.addAttempt('1', { id: 'own', state, attemptKey: 'key-1' });
      expect((await refuseSale(fixture.db, sale, NOW))?.id).toBe(isLive ? 'own' : undefined);
      expect(await fixture.refused()).toEqual([[], isLive ? [] : ['1 key-1']]);
    },
  );

  it.each([
    ['another invoice', '2', 'key-1'],
    ['another key', '1', 'key-2'],
  ])('returns no live attempt with %s', async (_title, invoiceId, attemptKey) => {
    const fixture = await addTwoInvoices();
    await fixture.addAttempt(invoiceId, { attemptKey });
    expect(await refuseSale(fixture.db, sale, NOW)).toBeNull();
  });
});
