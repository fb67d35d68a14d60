/**
 * Payments of which nobody knows the outcome yet, in the words of the partial indexes of payments and reversals: SQLite
 * takes such an index for no other words.
 */
export const UNDECIDED = "state IN ('sent', 'unknown', 'needs_human')";
