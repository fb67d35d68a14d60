/**
 * An attempt that was released as not charged may still show up for this long (ms): meanwhile its invoice takes the same
 * amount alone, in the same collection. The trigger claims_fit has the same number.
 */
export const RELEASED_MS = 24 * 3_600_000;
