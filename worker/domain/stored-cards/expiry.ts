const DAY_MS = 86_400_000;
/** Payers are told this long (ms) before a card expires. */
const NOTICE_MS = 30 * DAY_MS;

/**
 * The time (UTC ms) from which a card is no longer valid, given its last month (YYYY-MM); null if the month is unknown.
 * Noon of the next day, because a business may be up to twelve hours behind UTC.
 */
export function expiryOf(expiresOn: string): number | null {
  const [year = Number.NaN, month = Number.NaN] = expiresOn.split('-').map(Number);
  const at = Date.UTC(year, month, 1, 12);
  return Number.isNaN(at) ? null : at;
}

export const isExpired = (expiresOn: string, now: number): boolean => {
  const expiry = expiryOf(expiresOn);
  return expiry !== null && expiry <= now;
};

/** The time (UTC ms) of the next step of an open card: the notice to the payer, then the expiry; null if unknown. */
export function nextStepOf({ expiresOn, expiryMailedAt }: { expiresOn: string; expiryMailedAt: number | null }) {
  const expiry = expiryOf(expiresOn);
  return expiry === null || expiryMailedAt !== null ? expiry : expiry - NOTICE_MS;
}
