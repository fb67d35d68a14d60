import { describe, expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT, eventOf } from '#tests/support/unit/rows';
import { type Attempt, payLinks } from '#worker/data/schema/schema';
import { claimAttempt, type NewAttempt } from './attempts.ts';
import { countVelocity, type Submission } from './decline-counts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Row = Partial<Attempt>;

const query = { payId: 'link-1', ipKey: 'ip-1', perLinkHour: 2, windowMs: 10 * MINUTE, now: NOW };

const link = { accountId: ACCOUNT, invoiceId: '1', issuedAt: 1, endsAt: NOW };

/** The counts after attempts of these rows, a minute ago. */
async function readCountsAfter(...rows: Partial<Attempt>[]) {
  const { addAttempt, addInvoice, db } = await bareBooks();
  await addInvoice('1');
  await db.insert(payLinks).values({ ...link, payId: 'link-1' });
  for (const [at, row] of rows.entries())
    await addAttempt(`other-${at}`, { state: 'declined', createdAt: NOW - MINUTE, ...row });
  const [counts] = await db.$client.batch(countVelocity(db, { of: query }, undefined, ''));
  return counts?.results;
}

const zeroCounts = { linkClosed: 0, ipDeclines: 0, recent: 0, recentDeclined: 0 };

describe('the counts for the velocity limits', () => {
  it('are one row for the requested link', async () => {
    expect(await readCountsAfter()).toEqual([zeroCounts]);
  });

  it.each<[string, Partial<Attempt>, Partial<typeof zeroCounts>]>([
    ['a decline', {}, { recent: 1, recentDeclined: 1 }],
    ['an approval', { state: 'approved' }, { recent: 1 }],
    ['a rejection', { state: 'rejected' }, {}],
    ['a decline at the desk', { channel: 'terminal' }, {}],
    ['a decline just within the window', { createdAt: NOW - 10 * MINUTE + 1 }, { recent: 1, recentDeclined: 1 }],
    ['a decline before the window', { createdAt: NOW - 10 * MINUTE }, {}],
    ['an approval before the window', { createdAt: NOW - 10 * MINUTE, state: 'approved' }, {}],
    ['a decline of another account', { accountId: ACCOUNT + 1 }, {}],
    ['a decline for the address', { ipKey: 'ip-1' }, { ipDeclines: 1, recent: 1, recentDeclined: 1 }],
    ['a decline for the address an hour ago', { ipKey: 'ip-1', createdAt: NOW - 60 * MINUTE }, {}],
    [
      'a decline for the address within an hour',
      { ipKey: 'ip-1', createdAt: NOW - 60 * MINUTE + 1 },
      { ipDeclines: 1 },
    ],
  ])('are correct after %s', async (_title, row, counts) => {
    expect(await readCountsAfter(row)).toEqual([{ ...zeroCounts, ...counts }]);
  });

  it.each([
    [1, 0],
    [2, 1],
  ])('show whether a link limited to two declines an hour is closed, after %i: %i', async (count, linkClosed) => {
    const declines = Array.from({ length: count }, () => ({ payId: 'link-1' }));
    expect(await readCountsAfter(...declines)).toMatchObject([{ linkClosed }]);
  });
});

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
};
const submission: Submission = {
  payId: 'link-1',
  ipKey: 'ip-1',
  now: NOW,
  perLinkHour: 3,
  perIpHour: 4,
  declinedElsewhere: 0,
};

describe('a claim within the velocity limits', () => {
  const declined = (at: number, overrides: Row = {}): Row => ({
    state: 'declined',
    createdAt: at,
    collection: 9,
    ...overrides,
  });
  const declineOfLink = (at: number, overrides: Row = {}) => declined(at, { payId: 'link-1', ...overrides });
  const threeOfADayAgo = [1, 2, 3].map(() => declineOfLink(NOW - DAY));
  const declineOfIp = (at: number, overrides: Row = {}) => declined(at, { ipKey: 'ip-1', ...overrides });
  const inFlight = (n: number, overrides: Row = {}) =>
    declineOfIp(NOW - 1, { state: 'sent', invoiceId: `other-${n}`, ...overrides });
  const inFlightSince = (createdAt: number) => [1, 2].map((n) => inFlight(n, { createdAt }));

  it.each<[string, Row[], won: boolean, Partial<Submission>?]>([
    ['two declines of the link', [declineOfLink(NOW), declineOfLink(NOW)], true],
    ['three declines of the link', [declineOfLink(NOW), declineOfLink(NOW), declineOfLink(NOW)], false],
    ['three within exactly an hour', [declineOfLink(NOW - HOUR), declineOfLink(NOW), declineOfLink(NOW)], false],
    ['three in more than an hour', [declineOfLink(NOW - HOUR - 1), declineOfLink(NOW), declineOfLink(NOW)], true],
    ['three almost a day ago', [1, 2, 3].map(() => declineOfLink(NOW - DAY + 1)), false],
    ['three a day ago', threeOfADayAgo, true],
    [
      'three a day ago and a rejection within the day',
      [...threeOfADayAgo, declineOfLink(NOW - DAY + 1, { state: 'rejected' })],
      true,
    ],
    ['three of another link', [1, 2, 3].map(() => declineOfLink(NOW, { payId: 'link-2' })), true],
    ['three rejections of the link', [1, 2, 3].map(() => declineOfLink(NOW, { state: 'rejected' })), true],
    [
      'one decline of another link beside two',
      [declineOfLink(NOW), declineOfLink(NOW), declineOfLink(NOW, { payId: 'link-2' })],
      true,
    ],
    [
      'two declines and one rejection',
      [declineOfLink(NOW), declineOfLink(NOW), declineOfLink(NOW, { state: 'rejected' })],
      true,
    ],
    ['three declines of the address', [1, 2, 3].map(() => declineOfIp(NOW)), true],
    ['four declines of the address', [1, 2, 3, 4].map(() => declineOfIp(NOW)), false],
    ['four within an hour', [1, 2, 3, 4].map(() => declineOfIp(NOW - HOUR + 1)), false],
    ['four an hour ago', [1, 2, 3, 4].map(() => declineOfIp(NOW - HOUR)), true],
    ['four of another address', [1, 2, 3, 4].map(() => declineOfIp(NOW, { ipKey: 'ip-2' })), true],
    ['four rejections of the address', [1, 2, 3, 4].map(() => declineOfIp(NOW, { state: 'rejected' })), true],
    ['three declines and one elsewhere', [1, 2, 3].map(() => declineOfIp(NOW)), false, { declinedElsewhere: 1 }],
    ['one decline and three in flight', [declineOfIp(NOW), ...[1, 2, 3].map((n) => inFlight(n))], true],
    ['two declines and one in flight', [declineOfIp(NOW), declineOfIp(NOW), inFlight(1)], true],
    ['two declines and two in flight', [declineOfIp(NOW), declineOfIp(NOW), inFlight(1), inFlight(2)], false],
    ['two of them in flight for an hour', [declineOfIp(NOW), declineOfIp(NOW), ...inFlightSince(NOW - HOUR)], true],
    ['two of them in flight for less', [declineOfIp(NOW), declineOfIp(NOW), ...inFlightSince(NOW - HOUR + 1)], false],
    [
      'two in flight, one for another address',
      [declineOfIp(NOW), declineOfIp(NOW), inFlight(1), inFlight(2, { ipKey: 'ip-2' })],
      true,
    ],
    [
      'two in flight, one of them approved',
      [declineOfIp(NOW), declineOfIp(NOW), inFlight(1), inFlight(2, { state: 'approved' })],
      true,
    ],
    [
      'one decline, one elsewhere, two in flight',
      [declineOfIp(NOW), inFlight(1), inFlight(2)],
      false,
      { declinedElsewhere: 1 },
    ],
  ])('succeeds after %s only within the limits', async (_title, rows, isClaimed, overrides = {}) => {
    const { addAttempt, addInvoice, db } = await bareBooks();
    await addInvoice('1');
    await db.insert(payLinks).values({ ...link, payId: 'link-1' });
    for (const row of rows) await addAttempt(row.invoiceId ?? '1', row);
    const claim = await claimAttempt(
      db,
      newAttempt,
      { ...submission, ...overrides },
      eventOf('parts.opened', { subjectId: 'new' }),
    );
    expect(claim.isClaimed).toBe(isClaimed);
  });
});
