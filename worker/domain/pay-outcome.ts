import type { Attempt } from '../data/schema.ts';

/** Everything that can come of a submitted payment; all but the first three mean that this call charged nothing. */
export type PayOutcome =
  | { kind: 'approved'; attempt: Attempt }
  | { kind: 'submitted'; attempt: Attempt }
  | { kind: 'pending' }
  | { kind: 'declined'; attempt: Attempt }
  | { kind: 'refused'; message: string }
  | { kind: 'bad-signature'; message: string }
  | { kind: 'too-many'; retryAfterS: number }
  | {
      kind:
        | 'not-found'
        | 'link-ended'
        | 'already-paid'
        | 'at-the-desk'
        | 'amount-changed'
        | 'nothing-to-pay'
        | 'not-payable-online'
        | 'token-refused'
        | 'crm-unavailable'
        | 'gateway-unavailable'
        | 'not-started';
    };
