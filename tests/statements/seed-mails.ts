import { AT, CLOCK, EVERY_MS, ID, numbered, RARE } from './seed-parts.ts';
import { SEEN_TIMES } from './seed-trail.ts';

// A clinic's mails, their delivery events, reminders and opt-outs.

const EMAIL = `'c' || (n / 5 * 5) || '@clinic.example'`;
/** An address is tried again after 400 days. */
const IS_BAD = `n % 100 = 0 AND n < ${Math.floor((400 * 86_400_000) / EVERY_MS)}`;

/** The IDs of row n by column. */
export const idsOfMails = (accountId: number, n: number): Record<string, string> => {
  const address = `c${Math.floor(n / 5) * 5}@clinic.example`;
  return {
    'outbox.provider_id': `re-${accountId}-${n}`,
    'mail_events.id': `me-${accountId}-${n}`,
    'mail_addresses.address': address,
    'reminder_opt_outs.address': address,
    'reminder_opt_outs.token': `stop-${accountId}-${Math.floor(n / 5) * 5}`,
    'reminders.id': `rem-${accountId}-${n}`,
    'mailings.id': `mailing-${accountId}-${Math.floor(n / 100)}`,
    'mailing_invoices.mailing_id': `mailing-${accountId}-${Math.floor(n / 100)}`,
  };
};

export const mailAccount = [
  `INSERT INTO reminder_plans (account_id, steps, changed_by, changed_at, done_day, next_run_at)
    VALUES (?1, '[3,7]', 1, ${CLOCK}, '', ${SEEN_TIMES.next_run_at})`,
];

export const mailRows = [
  // Some pay links bounced.
  `${numbered} INSERT INTO outbox (id, kind, recipient, account_id, attempt_id, invoice_id, state, next_try_at, created_at, sent_at,
      provider_id, delivery, delivery_at, arrived_at, ask_at)
    SELECT 'receipt-a-' || ?1 || '-' || n, iif(n % 100 = 0, 'pay-link', 'receipt'), ${EMAIL}, ?1, 'a-' || ?1 || '-' || n, ${ID},
      iif(${RARE}, 'due', 'sent'), ${AT}, ${AT}, iif(${RARE}, NULL, ${AT}), 're-' || ?1 || '-' || n,
      CASE WHEN ${RARE} THEN 'accepted' WHEN n % 100 = 0 THEN 'bounced' ELSE 'delivered' END, ${AT},
      iif(${RARE} OR n % 100 = 0, NULL, ${AT}), iif(${RARE}, ${CLOCK - 1000}, NULL)
    FROM g WHERE EXISTS (SELECT 1 FROM payment_attempts WHERE id = 'a-' || ?1 || '-' || n)`,
  `${numbered} INSERT INTO mail_events (id, mail_id, type, at, heard_at)
    SELECT 'me-' || ?1 || '-' || n, 'receipt-a-' || ?1 || '-' || n, 'email.delivered', ${AT}, ${AT} FROM g`,
  `${numbered} INSERT INTO mail_addresses (account_id, address, why, mail_id, at)
    SELECT ?1, ${EMAIL}, 'bounced', 'receipt-a-' || ?1 || '-' || n, ${AT} FROM g WHERE ${IS_BAD}`,
  `${numbered} INSERT INTO reminder_opt_outs (token, account_id, address, made_at, stopped_at)
    SELECT 'stop-' || ?1 || '-' || n, ?1, ${EMAIL}, ${AT}, iif(n % 50 = 0, ${AT}, NULL) FROM g WHERE n % 5 = 0`,
  `${numbered} INSERT INTO reminders (id, account_id, invoice_id, step, state, day, planned_at)
    SELECT 'rem-' || ?1 || '-' || n, ?1, ${ID}, 3, iif(${RARE}, 'owed', 'handed'), date(${AT} / 1000, 'unixepoch'), ${AT} FROM g`,
  `${numbered} INSERT INTO mailings (id, account_id, requested_by, requested_at, starts_at, next_at)
    SELECT 'mailing-' || ?1 || '-' || (n / 100), ?1, 1, ${AT}, ${AT}, iif(n < 100, ${SEEN_TIMES.next_run_at}, NULL)
    FROM g WHERE n % 100 = 0`,
  `${numbered} INSERT INTO mailing_invoices (mailing_id, invoice_id, account_id, n, state, at)
    SELECT 'mailing-' || ?1 || '-' || (n / 100), ${ID}, ?1, n % 100, iif(${RARE}, 'waiting', 'handed'), ${AT} FROM g`,
  `${numbered} INSERT INTO reminder_exclusions (account_id, invoice_id, excluded_by, excluded_at)
    SELECT ?1, ${ID}, 1, ${AT} FROM g WHERE n % 50 = 0`,
];
