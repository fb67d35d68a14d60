import { describe, expect, it } from 'vitest';
import type { AttemptState } from '#worker/data/schema/schema';
import { type OfferContext, offerFor } from './eligibility.ts';

type OfferOverrides = Partial<OfferContext['attempt']> & Partial<Omit<OfferContext, 'attempt'>>;

/** A card payment of 184.00 in a closed batch, for an administrator. */
const offer = ({
  reversal = null,
  batch = 'closed',
  allowance = Number.POSITIVE_INFINITY,
  ...attempt
}: OfferOverrides = {}) =>
  offerFor({
    attempt: { state: 'approved', method: 'card', amountCents: 18_400, refundedCents: 0, ...attempt },
    reversal,
    batch,
    allowance,
  });

describe('the reversal offered for a payment', () => {
  it('is a void while its batch is open, and a refund of the remaining amount once it is closed', () => {
    expect(offer({ batch: 'open' })).toEqual({ kind: 'void', left: '184.00', may_refund: '184.00', why: null });
    expect(offer()).toEqual({ kind: 'refund', left: '184.00', may_refund: '184.00', why: null });
    expect(offer({ refundedCents: 400 })).toEqual({ kind: 'refund', left: '180.00', may_refund: '180.00', why: null });
  });

  it('is capped at the requester’s allowance, and a void above the allowance is not offered', () => {
    const limitedAmounts = { left: '184.00', may_refund: '183.99' };
    expect(offer({ allowance: 18_399 })).toEqual({ kind: 'refund', ...limitedAmounts, why: null });
    const explanation =
      'A void always covers the whole payment. You can refund up to $183.99 now. Ask an administrator.';
    expect(offer({ allowance: 18_399, batch: 'open' })).toEqual({ kind: null, ...limitedAmounts, why: explanation });
    expect(offer({ allowance: 18_400, batch: 'open' })).toMatchObject({ kind: 'void' });
  });

  it.each<[AttemptState, string]>([
    ['voided', 'was voided'],
    ['refunded', 'refunded in full'],
    ['returned', 'bank returned'],
    ['pending', 'not approved'],
    ['needs_human', 'not approved'],
  ])('is none when the payment is %s', (state, explanation) => {
    expect(offer({ state })).toEqual({
      kind: null,
      left: '0.00',
      may_refund: '0.00',
      why: expect.stringContaining(explanation),
    });
  });

  it.each<[string, OfferOverrides, string]>([
    ['from a bank account', { method: 'ach' }, 'bank account'],
    ['whose requester may not refund', { allowance: null }, 'Only an administrator of this account may'],
    ['whose requester has used up the limit', { allowance: 0 }, 'used up your refund limit for 24 hours'],
    ['whose earlier refund is in manual review', { reversal: 'needs_human' }, 'Someone must first check'],
    ['whose earlier refund is under way', { reversal: 'sent' }, 'outcome of an earlier attempt'],
    ['that was partly refunded, in an open batch', { batch: 'open', refundedCents: 1 }, 'Part of it was refunded'],
    ['whose batch is being closed', { batch: 'pending' }, 'is being closed'],
    ['whose batch could not be closed', { batch: 'failed' }, 'could not be closed'],
    ['whose batch is in an unknown state', { batch: 'other' }, 'does not show its batch'],
    ['whose batch is not known', { batch: null }, 'does not show its batch'],
  ])('is none for a payment %s', (_title, overrides, explanation) => {
    expect(offer(overrides)).toMatchObject({ kind: null, why: expect.stringContaining(explanation) });
  });
});
