/** What our ledger has of the gateway's transactions, as SQL. */

/**
 * SQL: cents of the transaction `txn` of the merchant `account` in our ledger; `method` tells a card's number from a debit's. For a refund, its own entry and those that
 * correct it, which have its id and more behind a hyphen; for a payment, all entries of its attempt except refunds, so
 * that a voided or returned one comes to 0.
 */
export const oursOf = (
  account: string,
  method: string,
  txn: string,
) => `(SELECT CASE WHEN own.kind = 'refund' THEN own.amount_cents
    + coalesce((SELECT sum(more.amount_cents) FROM ledger more WHERE more.account_id = own.account_id
      AND more.provider_txn_id > own.provider_txn_id || '-' AND more.provider_txn_id < own.provider_txn_id || '.'
      AND more.attempt_id = own.attempt_id AND more.kind = 'refund'), 0)
    ELSE (SELECT sum(part.amount_cents) FROM ledger part WHERE part.attempt_id = own.attempt_id AND part.kind <> 'refund') END
  FROM ledger own WHERE own.account_id = ${account} AND own.provider_txn_id = ${txn} AND own.method = ${method})`;

/** SQL: the entry corrects a refund, so the gateway has no transaction of it. */
export const IS_CORRECTION = `(l.kind = 'refund' AND l.corrects = 1)`;
