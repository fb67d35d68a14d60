import type { ApprovalRow } from '#worker/data/schema/proofs';
import type { StateRule } from '#worker/domain/state-rule';
import { WAIT_MS } from './second-person.ts';

/**
 * Every state of a refund or void that takes a second person: what may follow it, what ends it, by when, and what alerts if
 * nothing does. An approved one is an end once its refund has begun, which then has states of its own; where nothing comes of
 * that, it ends as well. `needs approval`: it is
 * shown to the clinic among what needs a person, and mailed.
 */
export const approvalStates = {
  waiting: {
    exits: ['approved', 'refused', 'ended'],
    endedBy: 'A second person’s decision, the end of the rights of the person who asked, or the end of its week.',
    limitMs: WAIT_MS,
    alert: 'needs approval',
  },
  approved: {
    exits: ['waiting', 'ended'],
    endedBy: 'The refund’s claim, by the request that approved it or by the clock; or the end of its week.',
    limitMs: 15 * 60_000,
    alert: 'approved-refund-not-made',
  },
  refused: { exits: [], endedBy: 'An end.', limitMs: null, alert: null },
  ended: { exits: [], endedBy: 'An end.', limitMs: null, alert: null },
} as const satisfies Record<ApprovalRow['state'], StateRule<ApprovalRow['state']>>;
