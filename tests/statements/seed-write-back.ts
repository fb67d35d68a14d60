import { AT, CLOCK, ID, numbered, RARE } from './seed-parts.ts';

// A clinic's writes of its payments to the CRM.

/** The IDs of row n by column. */
export const idsOfWrites = (accountId: number, n: number): Record<string, string> => ({
  'crm_writes.id': `pay-a-${accountId}-${n}`,
});

/** The five newest rows and row 30 are due, sent, unknown or refused; all others are written. */
const STATE = `CASE n WHEN 0 THEN 'due' WHEN 1 THEN 'sent' WHEN 2 THEN 'unknown' WHEN 3 THEN 'refused' WHEN 4 THEN 'due' WHEN 30 THEN 'refused' ELSE 'written' END`;

export const writeRows = [
  `${numbered} INSERT INTO crm_writes (id, account_id, invoice_id, attempt_id, kind, amount_cents, state, object_id, tries, looks,
      balance_cents, sent_at, next_try_at, effect, created_at, done_at)
    SELECT 'pay-a-' || ?1 || '-' || n, ?1, ${ID}, 'a-' || ?1 || '-' || n, 'payment', 100, ${STATE}, iif(n < 4, '', 'o-' || n),
      iif(n = 0, 0, 1), iif(n < 4, 2, 1), 100, ${AT}, iif(n = 0 OR ${RARE}, ${CLOCK - 1000}, NULL), iif(n < 4, '', 'paid'),
      ${AT}, iif(n < 4, NULL, ${AT})
    FROM g WHERE EXISTS (SELECT 1 FROM payment_attempts WHERE id = 'a-' || ?1 || '-' || n)`,
  // Switched on last, so that ledger rows seeded earlier create no CRM writes.
  `${numbered} INSERT INTO crm_write_settings (account_id, is_on, changed_by, changed_at, moves_balance)
    SELECT ?1, 1, 1, ${AT}, 1 FROM g WHERE n = 0`,
];
