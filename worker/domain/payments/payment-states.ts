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
    endedBy: 'The answer to its own call, or a status inquiry once that answer may be lost.',
    limitMs: HOLD_MS,
    alert: 'payment-unknown',
  },
  unknown: {
    exits: ['approved', 'declined', 'pending', 'not_charged', 'needs_human', 'cancelled', 'timed_out'],
    endedBy:
      'Status inquiries; after its hold, three empty answers release it, and what cannot be read goes to a person.',
    limitMs: HOLD_MS,
    alert: 'payment-unknown',
  },
  pending: {
    exits: ['approved', 'returned', 'needs_human'],
    endedBy: 'The settlement or the end of the bank debit; about a day without a sign of it, or the limit, a person.',
    limitMs: PENDING_LIMIT_MS,
    alert: 'payment-needs-a-person',
  },
  needs_human: {
    exits: ['approved', 'not_charged', 'voided', 'returned'],
    endedBy: 'A person’s word, after the gateway was asked; or the gateway, where nothing contradicts it any longer.',
    limitMs: PERSON_ALERT_MS,
    alert: 'payment-needs-a-person',
  },
  approved: {
    exits: ['voided', 'refunded', 'returned'],
    endedBy: 'An end, unless its money goes back.',
    limitMs: null,
    alert: null,
  },
  refunded: {
    exits: ['approved', 'returned'],
    endedBy: 'An end, unless a refund is voided at the gateway, or a bank returns its debit all the same.',
    limitMs: null,
    alert: null,
  },
  not_charged: {
    exits: ['needs_human'],
    endedBy: 'An end, unless the gateway shows its money after all.',
    limitMs: null,
    alert: null,
  },
  cancelled: {
    exits: ['needs_human'],
    endedBy: 'An end, unless the gateway shows its money after all.',
    limitMs: null,
    alert: null,
  },
  timed_out: {
    exits: ['needs_human'],
    endedBy: 'An end, unless the gateway shows its money after all.',
    limitMs: null,
    alert: null,
  },
  declined: {
    exits: ['needs_human'],
    endedBy: 'An end, unless the gateway shows its money after all.',
    limitMs: null,
    alert: null,
  },
  rejected: {
    exits: ['needs_human'],
    endedBy: 'An end, unless the gateway shows its money after all.',
    limitMs: null,
    alert: null,
  },
  returned: {
    exits: ['needs_human'],
    endedBy: 'An end, unless the gateway shows its money after all. One that was settled before stays a difference.',
    limitMs: null,
    alert: null,
  },
  voided: { exits: [], endedBy: 'An end.', limitMs: null, alert: null },
} as const satisfies Record<AttemptState, StateRule<AttemptState>>;

/** The same rules for every state of a void or refund. The database trigger is `reversals_moves`. */
export const reversalStates = {
  sent: {
    exits: ['approved', 'refused', 'unknown'],
    endedBy: 'The answer to its own call, or a status inquiry once that answer must be lost.',
    limitMs: HOLD_MS,
    alert: 'reversal-unknown',
  },
  unknown: {
    exits: ['approved', 'refused', 'not_done', 'needs_human'],
    endedBy:
      'Status inquiries; after its hold, three empty answers; in a state that cannot be read for a day, a person.',
    limitMs: HOLD_MS,
    alert: 'reversal-unknown',
  },
  needs_human: {
    exits: ['approved', 'not_done'],
    endedBy: 'A person’s word, after the gateway was asked.',
    limitMs: PERSON_ALERT_MS,
    alert: 'reversal-needs-a-person',
  },
  not_done: {
    exits: ['approved', 'needs_human'],
    endedBy: 'An end, unless the gateway carries it out late.',
    limitMs: null,
    alert: null,
  },
  approved: {
    exits: ['not_done'],
    endedBy: 'An end, unless a refund is voided at the gateway.',
    limitMs: null,
    alert: null,
  },
  refused: { exits: [], endedBy: 'An end.', limitMs: null, alert: null },
} as const satisfies Record<ReversalState, StateRule<ReversalState>>;
