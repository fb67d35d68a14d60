/**
 * SQL: whether a ledger entry counts in the figures of its day. A voided payment was never charged, so neither it nor what was
 * given back of it counts. The view counted_entries and the triggers of daily_totals are the same rule.
 */
export const isCounted = (entry: string) =>
  `${entry}.kind <> 'void' AND NOT EXISTS (SELECT 1 FROM ledger gone WHERE gone.attempt_id = ${entry}.attempt_id AND gone.kind = 'void')`;

/** SQL: whether an entry counts as a refund or return. One that corrects a refund moves money, and is no further one. */
export const isRefund = (entry: string) => `(${entry}.kind <> 'payment' AND ${entry}.corrects = 0)`;

/** Hours by which a day of any place may differ from the day of UTC that has its name. */
const FAR_MS = 15 * 3_600_000;
const DAY_MS = 86_400_000;

/** The moments (UTC ms) between which all entries of a local day (YYYY-MM-DD) lie, whatever the zone was when they were booked. */
export const momentsOfDay = (day: string): { from: number; to: number } => ({
  from: Date.parse(day) - FAR_MS,
  to: Date.parse(day) + DAY_MS + FAR_MS,
});
