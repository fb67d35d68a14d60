import type { ReversalState } from '#worker/data/schema/refunds';
import type { AttemptState } from '#worker/data/schema/schema';
import type { StateRule } from '#worker/domain/state-rule';
import { PENDING_LIMIT_MS } from './ach-debit.ts';

/** The alerts that require a person's decision are raised after this time (`afterMs` of the alerts). */
const PERSON_ALERT_MS = 15 * 60_000;
/** The default of HOLD_MS: by then an attempt's outcome is known, or its alert is raised. */
const HOLD_MS = 15 * 60_000;

/**
 * The rules for every state of an attempt: the states that may follow, the event that ends it, its time limit, and the
 * alert after that limit. `limitMs` null: no limit. The database trigger `payment_attempts_moves` allows exactly these
 * exits.
 */
export const paymentStates = {
  sent: {
    exits: ['approved', 'declined', 'rejected', 'pending', 'unknown', 'cancelled', 'timed_out'],
    endedBy: 'The answer to its charge call, or a status inquiry once that answer may be lost.',
    limitMs: HOLD_MS,
    alert: 'payment-unknown',
  },
  unknown: {
    exits: ['approved', 'declined', 'pending', 'not_charged', 'needs_human', 'cancelled', 'timed_out'],
    endedBy:
      'Status inquiries. After its hold, three empty answers release it; an unreadable one leaves it to a person.',
    limitMs: HOLD_MS,
    alert: 'payment-unknown',
  },
  pending: {
    exits: ['approved', 'returned', 'needs_human'],
    endedBy: 'The settlement or failure of the debit; after a day without a trace of it or the time limit, a person.',
    limitMs: PENDING_LIMIT_MS,
    alert: 'payment-needs-a-person',
  },
  needs_human: {
    exits: ['approved', 'not_charged', 'voided', 'returned'],
    endedBy: 'A person’s decision after a gateway lookup, or the gateway if nothing contradicts it any longer.',
    limitMs: PERSON_ALERT_MS,
    alert: 'payment-needs-a-person',
  },
  approved: {
    exits: ['voided', 'refunded', 'returned'],
    endedBy: 'Final, unless its money is returned.',
    limitMs: null,
    alert: null,
  },
  refunded: {
    exits: ['approved', 'returned'],
    endedBy: 'Final, unless a refund is voided at the gateway, or a bank returns the refunded debit.',
    limitMs: null,
    alert: null,
  },
  not_charged: {
    exits: ['needs_human'],
    endedBy: 'Final, unless the gateway shows its money after all.',
    limitMs: null,
    alert: null,
  },
  cancelled: {
    exits: ['needs_human'],
    endedBy: 'Final, unless the gateway shows its money after all.',
    limitMs: null,
    alert: null,
  },
  timed_out: {
    exits: ['needs_human'],
    endedBy: 'Final, unless the gateway shows its money after all.',
    limitMs: null,
    alert: null,
  },
  declined: {
    exits: ['needs_human'],
    endedBy: 'Final, unless the gateway shows its money after all.',
    limitMs: null,
    alert: null,
  },
  rejected: {
    exits: ['needs_human'],
    endedBy: 'Final, unless the gateway shows its money after all.',
    limitMs: null,
    alert: null,
  },
  returned: {
    exits: ['needs_human'],
    endedBy: 'Final, unless the gateway shows its money after all. A debit that had settled stays a mismatch.',
    limitMs: null,
    alert: null,
  },
  voided: { exits: [], endedBy: 'Final.', limitMs: null, alert: null },
} as const satisfies Record<AttemptState, StateRule<AttemptState>>;

/** The same rules for every state of a void or refund. The database trigger is `reversals_moves`. */
export const reversalStates = {
  sent: {
    exits: ['approved', 'refused', 'unknown'],
    endedBy: 'The answer to its gateway call, or a status inquiry once that answer must be lost.',
    limitMs: HOLD_MS,
    alert: 'reversal-unknown',
  },
  unknown: {
    exits: ['approved', 'refused', 'not_done', 'needs_human'],
    endedBy: 'Status inquiries; three empty answers after its hold; after a day in an unreadable state, a person.',
    limitMs: HOLD_MS,
    alert: 'reversal-unknown',
  },
  needs_human: {
    exits: ['approved', 'not_done'],
    endedBy: 'A person’s decision after a gateway lookup.',
    limitMs: PERSON_ALERT_MS,
    alert: 'reversal-needs-a-person',
  },
  not_done: {
    exits: ['approved', 'needs_human'],
    endedBy: 'Final, unless the gateway carries it out late.',
    limitMs: null,
    alert: null,
  },
  approved: {
    exits: ['not_done'],
    endedBy: 'Final, unless a refund is voided at the gateway.',
    limitMs: null,
    alert: null,
  },
  refused: { exits: [], endedBy: 'Final.', limitMs: null, alert: null },
} as const satisfies Record<ReversalState, StateRule<ReversalState>>;
