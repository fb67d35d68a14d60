import { describe, expect, it } from 'vitest';
import { ACCOUNT, bareBooks, NOW } from '#tests/support/unit/bare-books';
import { type Attempt, payLinks } from '#worker/data/schema/schema';
import { countVelocity } from './velocity-counts.ts';

const MINUTE = 60_000;
const question = { payId: 'link-1', ipKey: 'ip-1', perLinkHour: 2, windowMs: 10 * MINUTE, now: NOW };

/** The counts after attempts of these rows, a minute ago. */
async function countsAfter(...rows: Partial<Attempt>[]) {
  const { addAttempt, addInvoice, db } = await bareBooks();
  await addInvoice('1');
  const link = { accountId: ACCOUNT, invoiceId: '1', issuedAt: 1, endsAt: NOW };
  await db.insert(payLinks).values({ ...link, payId: 'link-1' });
  await db.insert(payLinks).values({ ...link, payId: 'link-2', state: 'ended' });
  for (const [at, row] of rows.entries())
    await addAttempt(`other-${at}`, { state: 'declined', createdAt: NOW - MINUTE, ...row });
  const [counts] = await db.$client.batch(countVelocity(db, { of: question }, undefined, ''));
  return counts?.results;
}

const none = { linkClosed: 0, ipDeclines: 0, recent: 0, recentDeclined: 0 };

describe('the counts for the velocity limits', () => {
  it('are one row, of the link that is asked for', async () => {
    expect(await countsAfter()).toEqual([none]);
  });

  it.each<[string, Partial<Attempt>, Partial<typeof none>]>([
    ['a decline', {}, { recent: 1, recentDeclined: 1 }],
    ['an approval', { state: 'approved' }, { recent: 1 }],
    ['a rejection', { state: 'rejected' }, {}],
    ['a decline at a desk', { channel: 'terminal' }, {}],
    ['a decline of just within the window', { createdAt: NOW - 10 * MINUTE + 1 }, { recent: 1, recentDeclined: 1 }],
    ['a decline of before the window', { createdAt: NOW - 10 * MINUTE }, {}],
    ['an approval of before the window', { createdAt: NOW - 10 * MINUTE, state: 'approved' }, {}],
    ['a decline of another account', { accountId: ACCOUNT + 1 }, {}],
    ['a decline of the address', { ipKey: 'ip-1' }, { ipDeclines: 1, recent: 1, recentDeclined: 1 }],
    ['a decline of the address an hour ago', { ipKey: 'ip-1', createdAt: NOW - 60 * MINUTE }, {}],
    ['a decline of the address within an hour', { ipKey: 'ip-1', createdAt: NOW - 60 * MINUTE + 1 }, { ipDeclines: 1 }],
  ])('after %s tell just that', async (_what, row, counts) => {
    expect(await countsAfter(row)).toEqual([{ ...none, ...counts }]);
  });

  it.each([
    [1, 0],
    [2, 1],
  ])('tell of a link that may be declined twice in an hour, after %i, whether it is closed: %i', async (count, is) => {
    const declines = Array.from({ length: count }, () => ({ payId: 'link-1' }));
    expect(await countsAfter(...declines)).toMatchObject([{ linkClosed: is }]);
  });
});
