import { CLOCK, ID, numbered } from './seed-parts.ts';

/**
 * Most invoices of a clinic accept installments; a few do not, because invoices in installments accept no bank debit.
 * Inserted last, so that they do not change the seeded payments.
 */
export const collectionRows = [
  `${numbered} INSERT INTO collections (account_id, invoice_id, n, base_cents, min_cents, max_installments, crm_balance_cents,
      opened_by, opened_at)
    SELECT ?1, ${ID}, 1, 1000000, 100, 12, 1000000, 1, ${CLOCK} FROM g
    WHERE n % 100 <> 46 AND EXISTS (SELECT 1 FROM invoices WHERE account_id = ?1 AND invoice_id = ${ID} AND local_status = 'none')`,
];
