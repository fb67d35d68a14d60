import { collectionRows } from './seed-collections.ts';
import { idsOfMails, mailAccount, mailRows } from './seed-mails.ts';
import { AT, CLOCK, EVERY_MS, ID, numbered, pickName, RARE } from './seed-parts.ts';
import { idsOfPeople, peopleAccount, peopleRows } from './seed-people.ts';
import { trailAccount, trailRows } from './seed-trail.ts';
import { idsOfWrites, writeRows } from './seed-write-back.ts';
import type { Call } from './store-worker.ts';

/** The condition of paid invoices; the others are unpaid. */
const PAID = 'n % 10 <> 6';
/** The current sync pass has not seen the newest few yet, and their names differ from those in their invoices. */
const SEEN = 'iif(n < 10, 0, 2), iif(n < 10, 0, 2)';

const DAY = `date(${AT} / 1000, 'unixepoch')`;
const FIRST = pickName(['Marta', 'James', 'Mary', 'Robert', 'Ana', 'Wei', 'Noah', 'Olga'], 'n / 5');
const LAST = `${pickName(['Smith', 'Garcia', 'Miller', 'Davis', 'Lopez'], 'n / 40')} || '-' || (n / 5)`;
const CENTS = 'n % 977 * 100 + 100';

/** The ids of an account's row n by column; text, except where the schema has numbers. */
export const idsOf = (accountId: number, n: number): Record<string, string | number> => ({
  'invoices.invoice_id': String(30_000_000 + n),
  'invoices.number': `INV-${100_000 + n}`,
  'contacts.contact_id': String(40_000_000 + Math.floor(n / 5)),
  'companies.company_id': String(50_000_000 + Math.floor(n / 50)),
  'pay_links.pay_id': `p-${accountId}-${n}`,
  'payment_attempts.id': `a-${accountId}-${n}`,
  'payment_attempts.receipt_id': `r-${accountId}-${n}`,
  'payment_attempts.token_hash': `t-${accountId}-${n}`,
  'payment_attempts.dedupe_key': `d-${accountId}-${n}`,
  'payment_attempts.ip_key': `ip-${accountId}-${n}`,
  'payment_attempts.attempt_key': `f-${accountId}-${n}`,
  'ledger.provider_txn_id': `x-${accountId}-${n}`,
  'gateway_transactions.provider_txn_id': `x-${accountId}-${n}`,
  'gateway_transactions.batch_id': `b-${Math.floor(n / 30)}`,
  'batch_closes.batch_id': `b-${Math.floor(n / 30)}`,
  'terminals.terminal_id': `T-${accountId}-${n % 2}`,
  'outbox.id': `receipt-a-${accountId}-${n}`,
  'reversals.id': `v-${accountId}-${n}`,
  'sessions.id': `s-${accountId}-${n}`,
  'sessions.companion_hash': `h-${accountId}-${n}`,
  'users.user_id': 1 + Math.floor(n / 100),
  'merchants.merchant_number': `M-${accountId}`,
  'page_views.load_id': `l-${accountId}-${n}`,
  'batches.batch_id': `b-${Math.floor(n / 30)}`,
  ...idsOfMails(accountId, n),
  ...idsOfPeople(accountId, n),
  ...idsOfWrites(accountId, n),
  'audit_events.actor_id': String(1 + Math.floor(n / 100)),
  'audit_events.subject_id': String(30_000_000 + n),
});

/** The values of the columns that lists are sorted by. */
export const keysOf = (n: number): Record<string, string> => ({
  email: `c${Math.floor(n / 5) * 5}@clinic.example`,
  phone: `+1 317 555 ${1000 + Math.floor(n / 5) * 5}`,
  company: `Company ${Math.floor(n / 50)}`,
  company_name: `Company ${Math.floor(n / 50)}`,
});

/** The time of the CRM's last change to the record of row n. */
export const modifiedOf = (table: string, n: number): number => {
  const rows = table === 'companies' ? 50 : table === 'contacts' ? 5 : 1;
  return CLOCK - Math.floor(n / rows) * rows * EVERY_MS;
};

const account = [
  `INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) VALUES (?1, 'Clinic ' || ?1, 'clinic.example', 'UTC', 0)`,
  `INSERT INTO crm_tokens (account_id, access_token, refresh_token, expires_at, scopes)
    VALUES (?1, 'a', 'r', ${CLOCK + 3_600_000}, '')`,
  `INSERT INTO crm_sync_states (account_id, complete_at, first_page_at, as_of) VALUES (?1, 1, 1, ${CLOCK})`,
  `INSERT INTO crm_cursors (account_id, kind, pass, stage) VALUES
    (?1, 'companies', 2, 'unmet'), (?1, 'contacts', 2, 'unmet'), (?1, 'invoices', 2, 'unmet')`,
  `INSERT INTO merchants (account_id, name, merchant_number, status, claimed_at) VALUES (?1, 'Clinic', 'M-' || ?1, 'boarded', 0)`,
  `INSERT INTO terminals (account_id, terminal_id, name, channel, public_key, api_key, created_at, heard_at) VALUES
    (?1, 'T-' || ?1 || '-0', 'Web', 'ecommerce', 'k', 'k', 0, NULL), (?1, 'T-' || ?1 || '-1', 'Desk', 'counter', '', 'k', 0, 1)`,
  `INSERT INTO status_reports (account_id, text, at) VALUES (?1, '{}', ${CLOCK})`,
  `INSERT INTO reconciliation_cursors (account_id, method, read_from, read_until, next_at) VALUES
    (?1, 'card', 0, ${CLOCK}, ${CLOCK - 1000}), (?1, 'ach', 0, ${CLOCK}, ${CLOCK - 1000})`,
];

const TERMINAL = `'T-' || ?1 || '-' || (n % 2)`;
const CHANNEL = `iif(n % 2 = 1, 'terminal', 'link')`;
/** The newest few of a clinic are in a pending state. */
const STATE = `CASE n WHEN 1 THEN 'unknown' WHEN 2 THEN 'needs_human' WHEN 3 THEN 'sent' WHEN 4 THEN 'pending'
  WHEN 5 THEN 'needs_human' ELSE iif(n % 10 = 9, 'refunded', 'approved') END`;

const rows = [
  `${numbered} INSERT INTO companies (account_id, company_id, name, modified_at, read_at, seen_pass)
    SELECT ?1, CAST(50000000 + n / 50 AS TEXT), 'Company ' || (n / 50), ${AT}, ${SEEN} FROM g WHERE n % 50 = 0`,
  `${numbered} INSERT INTO contacts (account_id, contact_id, first_name, last_name, email, phone, company, modified_at, read_at,
      seen_pass)
    SELECT ?1, CAST(40000000 + n / 5 AS TEXT), ${FIRST}, ${LAST}, 'c' || n || '@clinic.example', '+1 317 555 ' || (1000 + n),
      'Company ' || (n / 50), ${AT}, ${SEEN} FROM g WHERE n % 5 = 0`,
  `${numbered} INSERT INTO invoices (account_id, invoice_id, number, status, currency, balance_cents, billed_cents, due_date,
      contact_id, contact_first_name, contact_last_name, contact_email, company_id, company_name, created_at, modified_at,
      read_at, seen_pass, local_status)
    SELECT ?1, ${ID}, 'INV-' || (100000 + n), ${pickName(['open', 'open', 'open', 'paid', 'paid', 'paid', 'paid', 'paid', 'draft', 'voided'], 'n * 7')},
      'USD', iif(n * 7 % 10 < 3, ${CENTS}, 0), ${CENTS}, ${DAY}, CAST(40000000 + n / 5 AS TEXT), ${FIRST}, ${LAST},
      iif(n < 10, 'old', 'c' || (n / 5 * 5) || '@clinic.example'), CAST(50000000 + n / 50 AS TEXT),
      iif(n < 10, 'old', 'Company ' || (n / 50)), ${AT}, ${AT}, ${SEEN},
      ${pickName(['none', 'none', 'none', 'paid', 'none', 'none', 'none', 'none', 'none', 'refunded'], 'n')} FROM g`,
  `${numbered} INSERT INTO pay_links (pay_id, account_id, invoice_id, state, issued_at, ends_at, revoke_at)
    SELECT 'p-' || ?1 || '-' || n, ?1, ${ID}, 'live', ${AT}, ${AT} + iif(n % 40 = 6, 1, 90) * 86400000,
      CASE n WHEN 1 THEN ${CLOCK - 1000} WHEN 2 THEN ${CLOCK + 10_000} END FROM g WHERE n % 20 <> 16`,
  `${numbered} INSERT INTO payment_attempts (id, account_id, invoice_id, collection, pay_id, terminal_id, channel, method,
      amount_cents, currency, invoice_number, dedupe_key, token_hash, receipt_id, receipt_to, state, ip_key, attempt_key,
      provider_txn_id, card_brand, needs_human_from, payer_language, hold_until, next_check_at, created_at, day)
    SELECT 'a-' || ?1 || '-' || n, ?1, ${ID}, 1, 'p-' || ?1 || '-' || n, ${TERMINAL}, ${CHANNEL}, iif(n % 11 = 3, 'ach', 'card'),
      ${CENTS}, 'USD', 'INV-' || (100000 + n), 'd-' || ?1 || '-' || n, 't-' || ?1 || '-' || n, 'r-' || ?1 || '-' || n,
      'c@clinic.example', ${STATE}, 'ip-' || ?1 || '-' || n, 'f-' || ?1 || '-' || n, iif(n = 1, NULL, 'x-' || ?1 || '-' || n), 'VISA', iif(n IN (2, 5), 'unknown', ''), 'es', 0,
      iif(${RARE}, ${CLOCK - 1000}, NULL), ${AT}, ${DAY} FROM g WHERE ${PAID}`,
  `${numbered} INSERT INTO ledger (account_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel,
      method, brand, at, day)
    SELECT ?1, 'x-' || ?1 || '-' || n, 'a-' || ?1 || '-' || n, ${ID}, 'payment', ${CENTS}, 'USD', ${CHANNEL},
      iif(n % 11 = 3, 'ach', 'card'), 'VISA', ${AT}, ${DAY} FROM g WHERE ${PAID} AND NOT ${RARE}`,
  `${numbered} INSERT INTO gateway_transactions (account_id, provider_txn_id, method, terminal_id, batch_id, kind, state, is_voided,
      amount_cents, net_cents, order_id, parent_id, dedupe_key, card, payer, at, seen_at, verdict)
    SELECT ?1, 'x-' || ?1 || '-' || n, iif(n % 11 = 3, 'ach', 'card'), ${TERMINAL}, 'b-' || (n / 30), 'SALE', 'Captured', 0,
      ${CENTS}, ${CENTS}, 'a-' || ?1 || '-' || n, '', 'INV-' || (100000 + n), '4111', '', ${AT}, ${AT},
      iif(${RARE}, 'only-gateway', 'matched') FROM g WHERE n % 500 <> 0`,
  `${numbered} INSERT INTO batch_closes (account_id, terminal_id, batch_id, state, requested_by, requested_at, ended_at)
    SELECT ?1, ${TERMINAL}, 'b-' || (n / 30), CASE n WHEN 0 THEN 'unknown' WHEN 31 THEN 'processing' ELSE 'closed' END, 1, ${AT},
      ${AT} FROM g WHERE n % 30 IN (0, 1)`,
  // Both terminals have one open batch; the newest closed ones have not been paid out yet.
  `${numbered} INSERT INTO batches (account_id, terminal_id, batch_id, status, opened_at, settled_at, net_cents, funded_on,
      deposit_cents)
    SELECT ?1, ${TERMINAL}, 'b-' || (n / 30), iif(n < 30, 'open', 'closed'), ${AT}, iif(n < 30, NULL, ${AT}), 100,
      iif(n < 120, NULL, ${DAY}), iif(n < 120, NULL, 97) FROM g WHERE n % 30 IN (0, 1)`,
  `${numbered} INSERT INTO page_views (account_id, invoice_id, load_id, at)
    SELECT ?1, ${ID}, 'l-' || ?1 || '-' || n, ${AT} FROM g`,
  `${numbered} INSERT INTO reversals (id, account_id, attempt_id, invoice_id, kind, amount_cents, dedupe_key, request_key, reason,
      requested_by, state, hold_until, next_check_at, created_at)
    SELECT 'v-' || ?1 || '-' || n, ?1, 'a-' || ?1 || '-' || n, ${ID}, 'refund', 100, 'dv-' || n, 'q-' || ?1 || '-' || n, '', 1,
      CASE n WHEN 1 THEN 'unknown' WHEN 2 THEN 'needs_human' WHEN 3 THEN 'sent' ELSE 'approved' END, 0, iif(${RARE}, ${CLOCK - 1000}, NULL), ${AT}
    FROM g WHERE ${PAID}`,
  `${numbered} INSERT INTO resolutions (id, account_id, attempt_id, verdict, note, resolved_by, at)
    SELECT 'n-' || ?1 || '-' || n, ?1, 'a-' || ?1 || '-' || n, 'charged', '', 1, ${AT} FROM g WHERE n % 10 = 0`,
  `${numbered} INSERT INTO reversal_resolutions (id, account_id, reversal_id, verdict, note, resolved_by, at)
    SELECT 'm-' || ?1 || '-' || n, ?1, 'v-' || ?1 || '-' || n, 'happened', '', 1, ${AT} FROM g WHERE n % 10 = 0`,
  `${numbered} INSERT INTO users (account_id, user_id, email, role, last_login_at, crm_user_id)
    SELECT ?1, 1 + n / 100, 'u' || n || '@clinic.example', iif(n % 1000 = 0, 'admin', 'desk'), ${AT}, 1 + n / 100 FROM g WHERE n % 100 = 0`,
  `${numbered} INSERT INTO sessions (id, account_id, user_id, companion_hash, created_at, seen_at, ends_at)
    SELECT 's-' || ?1 || '-' || n, ?1, 1 + n / 100, 'h-' || ?1 || '-' || n, ${CLOCK}, ${CLOCK}, ${CLOCK + 3_600_000} FROM g`,
  `${numbered} INSERT INTO merchant_logs (account_id, message_hash, event, at) SELECT ?1, 'g-' || n, 'updated', ${AT} FROM g
    WHERE n % 100 = 0`,
  `${numbered} INSERT INTO invoice_signatures (account_id, invoice_id, image_key, saved_at, saved_by)
    SELECT ?1, ${ID}, 'signatures/' || ?1 || '/' || n, ${AT}, 1 FROM g`,
];

const STEP = 5000;

/** Casts the account id, because D1 binds a number as a float, which its text would show. */
const cast = (sql: string) => sql.replaceAll('?1', 'CAST(?1 AS INTEGER)');

/**
 * The statements that create a clinic with this many invoices and all records that belong to them. Row n is the same in
 * every clinic and equally old, so a bigger clinic is just an older customer. A statement that reads near one row or
 * within a time span costs the same in each; only one that reads the full clinic costs more.
 */
export function* seedClinic(accountId: number, invoices: number): Generator<Call> {
  for (const sql of [...account, ...mailAccount, ...peopleAccount, ...trailAccount].map(cast))
    yield { sql, values: [accountId] };
  for (const sql of [...rows, ...mailRows, ...peopleRows, ...trailRows, ...writeRows, ...collectionRows].map(cast)) {
    for (let from = 0; from < invoices; from += STEP) {
      yield { sql, values: [accountId, from, Math.min(invoices, from + STEP)] };
    }
  }
}
