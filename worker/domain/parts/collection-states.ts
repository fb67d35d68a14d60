import type { Collection } from '#worker/data/schema/parts';
import type { StateRule } from '#worker/domain/state-rule';

/**
 * Every state of a collection in parts: what may follow it, what ends it, by when, and where it is told if nothing does.
 * `open` is no wait: its payer pays when they pay. `needs frozen`: it stands at once in Payments to check and among what needs
 * a person, as long as its invoice is in the CRM.
 */
export const collectionStates = {
  open: {
    exits: ['frozen', 'closed'],
    endedBy: 'Its last part, a person who closes it, or another amount in the CRM.',
    limitMs: null,
    alert: null,
  },
  frozen: {
    exits: ['closed'],
    endedBy: 'A person, who says what is owed; the end of its invoice in the CRM.',
    limitMs: 0,
    alert: 'needs frozen',
  },
  closed: { exits: [], endedBy: 'An end.', limitMs: null, alert: null },
} as const satisfies Record<Collection['state'], StateRule<Collection['state']>>;
