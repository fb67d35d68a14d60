import { OPEN_STATES, WITH_PAYER } from '../schema/payments.ts';
import { TWO_YEARS } from '../schema/table.ts';
import { BLANK_PAYER } from './payer-data.ts';

/**
 * A place with data about a person, who is found by the email ?1 (lower case); ?2 is the time (UTC ms). A clinic's
 * places all have an `account_id`.
 */
export type PersonPlace = {
  /** The table, and a description of the part. */
  name: string;
  /** The part, in the words of a clinic's screen. */
  label: string;
  /** The databases that have the table. */
  in: 'clinic' | 'installation' | 'both';
  from: string;
  condition: string;
  columns: string;
  /** The rows that may be erased now, and the method; `stays` is the reason why the others may not. */
  erases?: { when: string; by: 'delete' | { set: string } };
  stays: string;
};

const DAY = 86_400_000;
/** Reconciliation covers this time (ms), in which a payment that counts as failed may still turn out to be charged. */
const UNCERTAIN_MS = 60 * DAY;

export const HAS_THEIR_RECEIPT_ADDRESS = 'lower(receipt_to) = ?1';
/** True if a dispute is no longer possible, because nothing was or will be charged, or its time is over. */
export const IS_DISPUTE_OVER = `state NOT IN ${OPEN_STATES} AND (settled_at < ?2 - ${TWO_YEARS}
  OR settled_at < ?2 - ${UNCERTAIN_MS} AND state NOT IN ('approved', 'refunded', 'returned'))`;

const THEIR_CONTACTS = 'SELECT account_id, contact_id FROM contacts WHERE lower(email) = ?1';
const THEIR_INVOICES = `(lower(contact_email) = ?1 OR (account_id, contact_id) IN (${THEIR_CONTACTS}))`;
const ON_THEIR_INVOICES = `(account_id, invoice_id) IN (SELECT account_id, invoice_id FROM invoices WHERE ${THEIR_INVOICES})`;
const THEIR_LOGINS = '(account_id, user_id) IN (SELECT account_id, user_id FROM users WHERE lower(email) = ?1)';
const NOT_LOGGED_IN = (table: string) =>
  `NOT EXISTS (SELECT 1 FROM sessions s WHERE s.account_id = ${table}.account_id AND s.user_id = ${table}.user_id
  AND s.revoked_at IS NULL AND s.ends_at > ?2)`;
const THEIR_ACCOUNT = 'SELECT id FROM content_users WHERE lower(email) = ?1';
const RECORD_OF_CRM =
  'the business’s own record: it erases it in its CRM, the next sync marks the copy as gone, and then it may go here. Erased here alone it would come back with the sync';
const RECORD_OF_MONEY =
  'a record of money: amount, time, card in part and transaction stay at least 7 years, by tax law';

/** In the order of erasure, so that rows that are found through another row are erased before it. */
export const personPlaces: readonly PersonPlace[] = [
  {
    name: 'gateway_transactions: name on the card',
    label: 'Name on the card, in the card provider’s list of payments',
    in: 'clinic',
    from: 'gateway_transactions',
    condition: `payer <> '' AND (account_id, provider_txn_id, method) IN (
  SELECT account_id, provider_txn_id, method FROM payment_attempts WHERE ${HAS_THEIR_RECEIPT_ADDRESS})`,
    columns: 'account_id, provider_txn_id, payer, card, at',
    erases: {
      when: `(account_id, provider_txn_id, method) IN (
  SELECT account_id, provider_txn_id, method FROM payment_attempts WHERE ${HAS_THEIR_RECEIPT_ADDRESS} AND ${IS_DISPUTE_OVER})`,
      by: { set: "payer = ''" },
    },
    stays: 'it answers a dispute for two years after the payment; without the name it is a record of money',
  },
  {
    name: 'payment_attempts: hashed network address',
    label: 'Network address of a payment, as a hash',
    in: 'clinic',
    from: 'payment_attempts',
    condition: `${HAS_THEIR_RECEIPT_ADDRESS} AND ip_key <> ''`,
    columns: 'id, account_id, ip_key, created_at',
    erases: { when: `created_at < ?2 - ${DAY}`, by: { set: "ip_key = ''" } },
    stays: 'limits against card testing ask for it for a day',
  },
  {
    name: 'payment_attempts: names, address, receipt address, signature',
    label: 'Name, address, receipt address and signature of payments',
    in: 'clinic',
    from: 'payment_attempts',
    condition: HAS_THEIR_RECEIPT_ADDRESS,
    columns: `id, account_id, invoice_number, state, amount_cents, currency, created_at, settled_at, payer_first_name,
  payer_last_name, payer_address, payer_address2, payer_city, payer_state, payer_zip, receipt_to, card_brand,
  card_last_four, wallet, avs_result, csc_result, signature_key IS NOT NULL AS has_signature, signed_by, signed_words, billed_to, bill_lines`,
    erases: { when: IS_DISPUTE_OVER, by: { set: BLANK_PAYER } },
    stays: `they answer a dispute for two years after the payment (60 days where nothing was charged), then the schedule blanks them; ${RECORD_OF_MONEY}`,
  },
  {
    name: 'payment_attempts: on their invoices, with another receipt address',
    label: 'Payments of their invoices with another receipt address',
    in: 'clinic',
    from: 'payment_attempts',
    condition: `${ON_THEIR_INVOICES} AND lower(receipt_to) <> ?1 AND ${WITH_PAYER}`,
    columns: 'id, account_id, invoice_number, state, created_at',
    stays: 'perhaps another person paid, so names are neither shown nor erased; blanked two years after the payment',
  },
  {
    name: 'payment_attempts: who started a sale on a card reader',
    label: 'Payments that they took on a card reader, as staff',
    in: 'clinic',
    from: 'payment_attempts',
    condition: 'lower(started_by) = ?1',
    columns: 'id, account_id, invoice_number, amount_cents, created_at, started_by',
    stays: 'it says who took a payment, for two years after it; then the schedule blanks it',
  },
  {
    name: 'outbox: mails',
    label: 'Emails to them',
    in: 'both',
    from: 'outbox',
    condition: 'lower(recipient) = ?1',
    columns: 'id, kind, account_id, state, created_at, sent_at, delivery, delivery_at',
    erases: { when: "state <> 'due'", by: { set: "recipient = '', details = '{}'" } },
    stays: 'still to be sent; it goes out or is given up within some days',
  },
  {
    name: 'mail_addresses: an address at which no mail arrives',
    label: 'Note that emails to the address do not arrive',
    in: 'clinic',
    from: 'mail_addresses',
    condition: 'address = ?1',
    columns: 'account_id, address, why, at',
    erases: { when: 'true', by: 'delete' },
    stays: '',
  },
  {
    name: 'pay_links: of their invoices',
    label: 'Payment links of their invoices',
    in: 'clinic',
    from: 'pay_links',
    condition: ON_THEIR_INVOICES,
    // The pay id itself grants access to a payment, so it is not shown.
    columns: 'account_id, invoice_id, state, issued_at, ends_at',
    stays: 'they name an invoice and no person; deleted 400 days after their end',
  },
  {
    name: 'page_views: of their invoices',
    label: 'Visits to the payment pages of their invoices',
    in: 'clinic',
    from: 'page_views',
    condition: ON_THEIR_INVOICES,
    columns: 'account_id, invoice_id, at',
    stays: 'when the page of an invoice was looked at, not by whom; deleted after 400 days',
  },
  {
    name: 'invoice_signatures: on their printed invoices',
    label: 'Signatures on their printed invoices',
    in: 'clinic',
    from: 'invoice_signatures',
    condition: ON_THEIR_INVOICES,
    columns: 'account_id, invoice_id, saved_at, saved_by',
    stays: 'the business took it and can take it away where the invoice is shown; deleted after two years',
  },
  {
    name: 'invoices: names and email on copies of the CRM',
    label: 'Name and email on invoices',
    in: 'clinic',
    from: 'invoices',
    condition: `${THEIR_INVOICES} AND contact_first_name || contact_last_name || contact_email <> ''`,
    columns: 'account_id, invoice_id, number, contact_first_name, contact_last_name, contact_email, deleted_at',
    erases: {
      when: `(deleted_at IS NOT NULL OR (account_id, contact_id) IN (${THEIR_CONTACTS} AND deleted_at IS NOT NULL))`,
      by: { set: "contact_first_name = '', contact_last_name = '', contact_email = ''" },
    },
    stays: RECORD_OF_CRM,
  },
  {
    name: 'contacts: copies of the CRM',
    label: 'Contact details',
    in: 'clinic',
    from: 'contacts',
    condition: 'lower(email) = ?1',
    columns:
      'account_id, contact_id, first_name, last_name, email, phone, company, address, city, state, zip, deleted_at',
    erases: { when: 'deleted_at IS NOT NULL', by: 'delete' },
    stays: RECORD_OF_CRM,
  },
  {
    name: 'reminder_opt_outs: an address that may stop reminders',
    label: 'Link to stop reminders',
    in: 'clinic',
    from: 'reminder_opt_outs',
    condition: 'address = ?1',
    columns: 'account_id, address, made_at, stopped_at',
    erases: { when: 'stopped_at IS NULL', by: 'delete' },
    stays: 'they stopped the reminders of this business: without the row the next one would be sent',
  },
  {
    name: 'sessions: of staff',
    label: 'Logins, as staff',
    in: 'clinic',
    from: 'sessions',
    condition: THEIR_LOGINS,
    columns: 'account_id, user_id, created_at, seen_at, ends_at, revoked_at',
    erases: { when: '(revoked_at IS NOT NULL OR ends_at <= ?2)', by: 'delete' },
    stays: 'in use; it ends within 12 hours, or by logging out',
  },
  {
    name: 'staff_passkeys: of staff',
    label: 'Passkeys, as staff',
    in: 'clinic',
    from: 'staff_passkeys',
    condition: THEIR_LOGINS,
    columns: 'account_id, user_id, label, created_at, used_at',
    erases: { when: NOT_LOGGED_IN('staff_passkeys'), by: 'delete' },
    stays: 'logged in at this moment; they remove it themselves, or an administrator does',
  },
  {
    name: 'pins: of staff',
    label: 'PIN, as staff',
    in: 'clinic',
    from: 'pins',
    condition: THEIR_LOGINS,
    columns: 'account_id, user_id, set_at',
    erases: { when: NOT_LOGGED_IN('pins'), by: 'delete' },
    stays: 'logged in at this moment; they remove it themselves, or an administrator does',
  },
  {
    name: 'users: email of staff',
    label: 'Name and email, as staff',
    in: 'clinic',
    from: 'users',
    condition: 'lower(email) = ?1',
    columns: 'account_id, user_id, crm_user_id, email, name, role, last_login_at, removed_at',
    erases: {
      when: NOT_LOGGED_IN('users'),
      by: { set: "email = '', name = ''" },
    },
    stays:
      'logged in at this moment. The user id always stays: refunds and batches name it; a login fills the email in again',
  },
  {
    name: 'invitations: of staff',
    label: 'Invitations to the team',
    in: 'clinic',
    from: 'invitations',
    condition: 'lower(email) = ?1',
    columns: 'account_id, email, name, role, created_at, ends_at, ended_at',
    erases: { when: 'true', by: 'delete' },
    stays: '',
  },
  {
    name: 'handoff_codes: a login on its way',
    label: 'Login in progress, as staff',
    in: 'installation',
    from: 'handoff_codes',
    condition: 'lower(email) = ?1',
    columns: 'account_id, user_id, email, ends_at',
    erases: { when: 'true', by: 'delete' },
    stays: '',
  },
  {
    name: 'content_invitations',
    label: 'Invitations to the content area',
    in: 'installation',
    from: 'content_invitations',
    condition: 'lower(email) = ?1',
    columns: 'email, role, invited_by, created_at, ends_at, ended_at',
    erases: { when: 'true', by: 'delete' },
    stays: '',
  },
  {
    name: 'article_revisions, media: written and uploaded',
    label: 'Articles and files of the public site',
    in: 'installation',
    from: `(SELECT 'article_revisions' AS place, saved_by AS name, count(*) AS n FROM article_revisions
    WHERE saved_by IN (SELECT name FROM content_users WHERE lower(email) = ?1) GROUP BY saved_by
  UNION ALL SELECT 'media', uploaded_by, count(*) FROM media WHERE uploader_id IN (${THEIR_ACCOUNT}) GROUP BY uploaded_by)`,
    condition: 'true',
    columns: 'place, name, n',
    stays: 'who wrote what of the public site; it goes with the article or the file',
  },
  {
    name: 'content_users',
    label: 'Account of the content area',
    in: 'installation',
    from: 'content_users',
    condition: 'lower(email) = ?1',
    columns: 'email, name, role, status, created_at, last_login_at',
    erases: { when: "status <> 'active'", by: 'delete' },
    stays: 'an account in use: an owner removes it under /cms/users, with its sessions, drafts and resets',
  },
  {
    name: 'accounts: email of the business',
    label: 'Public address of the business',
    in: 'clinic',
    from: 'accounts',
    condition: 'lower(email) = ?1',
    columns: 'account_id, name, email',
    stays: 'the business’s public address, printed on its receipts; the CRM account changes it',
  },
];
