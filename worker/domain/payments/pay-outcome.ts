import type { PayField } from '#shared/contracts/payment';
import type { AttemptAnswer } from './earlier-attempts.ts';
import type { NotPriced } from './priced.ts';
import type { TooMany } from './velocity-limits.ts';

/**
 * Every outcome of a submitted payment. Only `approved`, `submitted`, `pending` and `not-started` that is open may mean
 * that money moves.
 */
export type PayOutcome =
  | AttemptAnswer
  | NotPriced
  | TooMany
  | { kind: 'refused' | 'bad-signature'; message: string }
  /** The address on file is not (or no longer) complete: the payer has to give one. */
  | { kind: 'address-missing'; fields: PayField[] }
  | { kind: 'not-found' | 'link-ended' | 'paused' | 'gateway-unavailable' }
  /** `isOpen`: the same form may be on its way a second time, and nothing could keep that one from being charged. */
  | { kind: 'not-started'; isOpen?: true };
