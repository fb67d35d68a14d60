/**
 * Payments and reversals with an unknown outcome. The partial indexes have this condition word for word; SQLite uses
 * them for no other wording.
 */
export const UNDECIDED = "state IN ('sent', 'unknown', 'needs_human')";
