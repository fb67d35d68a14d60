import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareClinic } from '#tests/support/unit/bare-clinic';
import { ACCOUNT } from '#tests/support/unit/rows';
import type { Payable } from '#worker/data/payments/load-payable';
import { attemptStates } from '#worker/data/schema/payments';
import type { Attempt } from '#worker/data/schema/schema';
import {
  answerFor,
  answerFromEarlier,
  type CollectionStatus,
  findBlockingAttempt,
  keepsInvoiceClosed,
  refreshAttempt,
  refusalAfterRelease,
} from './attempts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const attempt = (overrides: Partial<Attempt> = {}) =>
  ({
    id: 'a1',
    accountId: ACCOUNT,
    invoiceId: '1',
    collection: 1,
    part: 1,
    amountCents: 5_000,
    state: 'approved',
    channel: 'link',
    method: 'card',
    attemptKey: 'key',
    tokenHash: 'token',
    needsHumanFrom: '',
    settledAt: NOW,
    ...overrides,
  }) as Attempt;
const fullPaymentStatus: CollectionStatus = { localStatus: 'none', partBaseCents: null };
const installmentStatus: CollectionStatus = { localStatus: 'none', partBaseCents: 10_000 };

describe('the answer for an attempt', () => {
  const answers: Record<Attempt['state'], [own: string, other: string]> = {
    approved: ['approved', 'already-paid'],
    declined: ['declined', 'declined'],
    returned: ['declined', 'declined'],
    rejected: ['token-refused', 'token-refused'],
    not_charged: ['token-refused', 'token-refused'],
    cancelled: ['token-refused', 'token-refused'],
    timed_out: ['token-refused', 'token-refused'],
    voided: ['token-refused', 'token-refused'],
    refunded: ['token-refused', 'token-refused'],
    pending: ['submitted', 'pending'],
    sent: ['pending', 'pending'],
    unknown: ['pending', 'pending'],
    needs_human: ['pending', 'pending'],
  };

  it.each(attemptStates)('depends on whether the request made the attempt: state %s', (state) => {
    expect([true, false].map((isSame) => answerFor(attempt({ state }), isSame).kind)).toEqual(answers[state]);
  });

  it('is at-the-desk while an attempt on a terminal is unfinished', () => {
    expect(answerFor(attempt({ state: 'sent', channel: 'terminal' }), true)).toEqual({ kind: 'at-the-desk' });
  });
});

describe('an attempt and its invoice', () => {
  it.each(attemptStates)('closes the invoice only while unfinished or once approved: %s', (state) => {
    const isLive = ['sent', 'unknown', 'pending', 'approved', 'needs_human'].includes(state);
    expect(keepsInvoiceClosed(attempt({ state }), fullPaymentStatus)).toBe(isLive);
  });

  it.each<[string, Partial<Attempt>, CollectionStatus, string | undefined, boolean]>([
    ['approved, while more is owed', {}, installmentStatus, undefined, false],
    ['approved, for its own submission', {}, installmentStatus, 'key', true],
    ['approved, for another submission', {}, installmentStatus, 'other', false],
    ['approved without a key, for a submission without one', { attemptKey: null }, installmentStatus, undefined, false],
    ['approved, once all is paid', {}, { ...installmentStatus, localStatus: 'paid' }, undefined, true],
    ['under way, while more is owed', { state: 'sent' }, installmentStatus, undefined, true],
  ])('closes the invoice only when it must: %s', (_title, overrides, invoice, key, expected) => {
    expect(keepsInvoiceClosed(attempt(overrides), invoice, key)).toBe(expected);
  });
});

describe('an attempt released as not charged', () => {
  const makeReleased = (overrides: Partial<Attempt> = {}) =>
    attempt({ state: 'not_charged', settledAt: NOW - DAY + 1, ...overrides });
  const refusalMessage = (releasedAttempt: Attempt, amountCents = 4_000) =>
    refusalAfterRelease([attempt(), releasedAttempt], {
      amountCents,
      collection: 1,
      method: 'card',
      part: 1,
      createdAt: NOW,
    })?.message;
  const message = 'An earlier payment of $50.00 may still go through. Please try again tomorrow.';

  it.each<[string, Attempt, number?]>([
    ['another amount of its part', makeReleased()],
    ['any amount of another collection', makeReleased({ collection: 2 }), 5_000],
    ['its own amount by the other payment method', makeReleased({ method: 'ach' }), 5_000],
  ])('refuses %s for a day', (_title, earlier, amountCents) => {
    expect(refusalMessage(earlier, amountCents)).toBe(message);
  });

  it.each<[string, Attempt, number?]>([
    ['its own amount', makeReleased(), 5_000],
    ['another part of its collection', makeReleased({ part: 2 })],
    ['another collection, after a person’s decision', makeReleased({ collection: 2, needsHumanFrom: 'unknown' })],
    ['another amount after a day', makeReleased({ settledAt: NOW - DAY })],
    ['another amount, if its release has no time', makeReleased({ settledAt: null })],
    ['another amount, if the attempt was declined', makeReleased({ state: 'declined' })],
  ])('allows payment of %s', (_title, earlier, amountCents) => {
    expect(refusalMessage(earlier, amountCents)).toBeUndefined();
  });
});

/** An attempt with an unknown outcome, for which the gateway gives this response. */
async function makeUnknown(
  response: Parameters<Awaited<ReturnType<typeof bareClinic>>['show']>[0],
  row: Partial<Attempt> = {},
) {
  const clinic = await bareClinic({
    state: 'unknown',
    createdAt: NOW - HOUR,
    holdUntil: NOW + HOUR,
    tokenHash: 'token',
    attemptKey: 'key',
    ...row,
  });
  clinic.show(response);
  return { ...clinic, ownAttempt: await clinic.read() };
}

describe('the blocking attempt', () => {
  it('is looked up first, and no longer blocks when it was declined', async () => {
    const { deps, ownAttempt } = await makeUnknown([{ state: 'declined' }]);
    expect(await findBlockingAttempt(deps, [attempt({ state: 'declined' }), ownAttempt], fullPaymentStatus)).toBeNull();
  });

  it('is returned in its state after the lookup', async () => {
    const { deps, ownAttempt } = await makeUnknown([{}]);
    expect(await findBlockingAttempt(deps, [ownAttempt], fullPaymentStatus)).toMatchObject({ state: 'approved' });
  });

  it('does not exist among finished attempts', async () => {
    const { requests, deps } = await makeUnknown([{}]);
    expect(await findBlockingAttempt(deps, [attempt({ state: 'declined' })], fullPaymentStatus)).toBeNull();
    expect(requests).toEqual([]);
  });

  it('can be an approved attempt only for its own submission while more is owed', async () => {
    const { deps } = await makeUnknown([]);
    expect(await findBlockingAttempt(deps, [attempt()], installmentStatus)).toBeNull();
    expect(await findBlockingAttempt(deps, [attempt()], installmentStatus, 'key')).toMatchObject({ id: 'a1' });
  });

  it.each(['approved', 'pending', 'needs_human'] as const)('is not looked up when it is %s', async (state) => {
    const { requests, deps } = await makeUnknown([{}]);
    const earlier = attempt({ state });
    expect(await refreshAttempt(deps, earlier)).toBe(earlier);
    expect(requests).toEqual([]);
  });

  it('stays open with a log line when the lookup fails', async () => {
    const { deps, fields, logs, ownAttempt } = await makeUnknown([{}]);
    deps.gateway.find = async () => {
      throw new Error('no way');
    };
    expect(await refreshAttempt(deps, ownAttempt)).toBe(ownAttempt);
    expect([logs, fields]).toEqual([
      ['status-inquiry-failed'],
      [{ attemptId: 'a1', cause: expect.stringContaining('no way') }],
    ]);
  });

  it('is looked up once the answer to its call may be lost', async () => {
    const { deps, ownAttempt } = await makeUnknown([{}], { state: 'sent' });
    expect((await refreshAttempt(deps, ownAttempt)).state).toBe('approved');
  });
});

describe('the answer from earlier attempts', () => {
  const payable = { link: { accountId: ACCOUNT, invoiceId: '1' }, invoice: fullPaymentStatus } as unknown as Payable;
  const answerKind = async (attempts: Attempt[], tokenHash = 'new', key?: string) => {
    const { deps } = await makeUnknown([]);
    return (await answerFromEarlier(deps, payable, attempts, tokenHash, key))?.kind ?? null;
  };

  it.each<[string, Attempt[], string, string | undefined, string | null]>([
    ['no attempt', [], 'new', undefined, null],
    ['a finished attempt', [attempt({ state: 'declined' })], 'new', undefined, null],
    ['a payment', [attempt()], 'new', undefined, 'already-paid'],
    ['a payment by its key', [attempt()], 'new', 'key', 'approved'],
    ['a payment by another key', [attempt()], 'new', 'other', 'already-paid'],
    ['its own payment by the token', [attempt()], 'token', undefined, 'approved'],
    ['its own decline by the token', [attempt({ state: 'declined' })], 'token', undefined, 'declined'],
    ['the token of another invoice', [attempt({ invoiceId: '2' })], 'token', undefined, 'token-refused'],
    ['the token of another account', [attempt({ accountId: ACCOUNT + 1 })], 'token', undefined, 'token-refused'],
  ])('follows from %s', async (_title, attempts, token, key, kind) => {
    expect(await answerKind(attempts, token, key)).toBe(kind);
  });

  it('looks up an attempt with the same token at the gateway first', async () => {
    const { deps, ownAttempt: unknownAttempt } = await makeUnknown([{}]);
    expect((await answerFromEarlier(deps, payable, [unknownAttempt], 'token', undefined))?.kind).toBe('approved');
  });
});
