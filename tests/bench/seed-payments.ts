/**
 * Payments of account ?1 from the ?2nd to before the ?3rd, the same in every database and spread evenly over DAYS up
 * to the day ?4. Every 20th was declined before, every 50th is partly refunded.
 */
const numbered = 'WITH RECURSIVE g (n) AS (SELECT CAST(?2 AS INTEGER) UNION ALL SELECT n + 1 FROM g WHERE n < ?3 - 1)';

/** Twice the longest timeframe shown. 7 has no factor in common with it, so every day gets its share. */
export const DAYS = 730;
const DAY = `date(?4, '-' || (n * 7 % ${DAYS}) || ' days')`;
const NOON = `(unixepoch(${DAY}) + 43200) * 1000`;
const CENTS = 'n % 977 * 100 + 1';
const METHOD = "iif(n % 11 = 0, 'ach', 'card')";
const BRAND = `json_extract('["VISA", "MASTERCARD", "AMEX", "DISCOVER", "JCB"]', '$[' || (n % 5) || ']')`;

const attempts = (prefix: string, every: number) => `${numbered}
  INSERT INTO payment_attempts (id, account_id, invoice_id, collection, terminal_id, channel, method, amount_cents, currency,
    invoice_number, dedupe_key, receipt_id, card_brand, hold_until, created_at, time_zone, day, state)
  SELECT '${prefix}-' || ?1 || '-' || n, ?1, '${prefix}' || n, 1, 't', iif(n % 4 = 0, 'terminal', 'link'), ${METHOD}, ${CENTS},
    'USD', '${prefix}' || n, '${prefix}' || n, '${prefix}-' || ?1 || '-' || n, ${BRAND}, 0, ${NOON}, 'UTC', ${DAY}, ?5
  FROM g WHERE n % ${every} = 0`;

const entries = (kind: 'payment' | 'refund', cents: string, every: number) => `${numbered}
  INSERT INTO ledger (account_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method, brand, at, day,
    hour)
  SELECT ?1, '${kind}' || n, 'paid-' || ?1 || '-' || n, 'paid' || n, '${kind}', ${cents}, 'USD',
    iif(n % 4 = 0, 'terminal', 'link'), ${METHOD}, ${BRAND}, ${NOON}, ${DAY}, 12
  FROM g WHERE n % ${every} = 0`;

/** ?5: the state of the attempts. */
export const seedAttempts = { approved: attempts('paid', 1), declined: attempts('refused', 20) } as const;
export const seedLedger = [entries('payment', CENTS, 1), entries('refund', `-(${CENTS}) / 2`, 50)];

/** The daily sums of account ?1, added up from its ledger and its attempts. */
export const dailyTotals = `
  WITH sums AS (SELECT day, sum(amount_cents) AS net_cents, sum(iif(kind = 'payment', 0, -amount_cents)) AS refund_cents,
      count(*) FILTER (WHERE kind <> 'payment') AS refunds FROM ledger WHERE account_id = ?1 GROUP BY day),
  named AS (SELECT day, count(*) AS n, CASE
      WHEN method = 'ach' THEN 'Bank account' WHEN brand = 'VISA' THEN 'Visa' WHEN brand = 'MASTERCARD' THEN 'Mastercard'
      WHEN brand = 'AMEX' THEN 'American Express' WHEN brand = 'DISCOVER' THEN 'Discover' ELSE 'Other card' END AS name
    FROM ledger WHERE account_id = ?1 AND kind = 'payment' GROUP BY day, name),
  timed AS (SELECT day, hour, count(*) AS n FROM ledger WHERE account_id = ?1 AND kind = 'payment' GROUP BY day, hour),
  ended AS (SELECT day, state, count(*) AS n FROM payment_attempts WHERE account_id = ?1 GROUP BY day, state)
  SELECT ?1 AS account_id, day, net_cents, methods, statuses, refund_cents, refunds, hours FROM sums
  JOIN (SELECT day, json_group_object(name, n) AS methods FROM named GROUP BY day) USING (day)
  JOIN (SELECT day, json_group_object(state, n) AS statuses FROM ended GROUP BY day) USING (day)
  JOIN (SELECT day, json_group_object(CAST(hour AS TEXT), n) AS hours FROM timed GROUP BY day) USING (day)`;
