import { atItsEnd, DAY, type Kept, SEVEN_YEARS, TWO_YEARS, withAccount } from './kept.ts';
import { inBoth } from './periods-of-both.ts';

export const OPEN_STATES = "('sent', 'unknown', 'pending', 'needs_human')";
/** Conditions of the indexes with the same names; SQLite takes an index only where it finds its very words. */
export const WITH_PAYER = `(signature_key IS NOT NULL OR payer_first_name || payer_last_name || payer_address || payer_address2
    || payer_city || payer_state || payer_zip || receipt_to || started_by <> '')`;
const WITH_NAMES = `deleted_at IS NOT NULL AND contact_first_name || contact_last_name || contact_email || company_name
    || company_address || company_city || company_state || company_zip <> ''`;
const NO_NAMES = `contact_first_name = '', contact_last_name = '', contact_email = '', company_name = '',
    company_address = '', company_city = '', company_state = '', company_zip = '', bill_lines = ''`;

/** The tables of copies that the CRM sync keeps. */
export const COPIES = ['contacts', 'companies', 'invoices'] as const;

const pointsTo = (table: string) =>
  `EXISTS (SELECT 1 FROM ${table} p WHERE p.account_id = invoices.account_id AND p.invoice_id = invoices.invoice_id)`;

/** How long each table of a clinic's database keeps what it holds. */
export const clinicTables: Record<string, Kept> = {
  ...inBoth,
  accounts: withAccount('it is the business itself, and everything points to it'),
  crm_tokens: {
    rules: [
      {
        ...{ does: 'delete', column: 'revoked_at', ms: 30 * DAY },
        ...{ index: 'crm_tokens_revoked', when: 'revoked_at IS NOT NULL' },
        unless: {
          sql: COPIES.map(
            (copies) =>
              `EXISTS (SELECT 1 FROM ${copies} c WHERE c.account_id = crm_tokens.account_id AND c.deleted_at IS NULL)`,
          ).join(' OR '),
          say: 'once all copies of the account’s records count as gone',
        },
      },
    ],
    why: 'a revoked grant opens nothing, and without one nothing says that a record is still there',
  },
  terminals: withAccount('its key takes payments, and payments point to it'),
  invoices: {
    row: 'with the account once a link or a payment has pointed to it',
    rules: [
      {
        ...{ does: 'delete', column: 'deleted_at', ms: 30 * DAY, index: 'invoices_gone_with_names', when: WITH_NAMES },
        unless: {
          sql: ['pay_links', 'payment_attempts', 'collections', 'invoice_signatures'].map(pointsTo).join(' OR '),
          say: 'unless something points to it',
        },
      },
      {
        ...{
          does: 'blank',
          what: 'names, address and what was on the bill',
          set: NO_NAMES,
          column: 'deleted_at',
          ms: 30 * DAY,
        },
        ...{ index: 'invoices_gone_with_names', when: WITH_NAMES },
      },
    ],
    why: 'the CRM may bring a record back for some weeks, and what it no longer has is not ours to keep; the rest of the row says that an invoice was paid here',
  },
  contacts: {
    rules: [
      {
        ...{
          does: 'delete',
          column: 'deleted_at',
          ms: 30 * DAY,
          index: 'contacts_gone',
          when: 'deleted_at IS NOT NULL',
        },
        atOnce: 20,
      },
    ],
    why: 'a copy lives as long as the record in the CRM; its names leave the invoices with it',
  },
  companies: {
    rules: [
      { does: 'delete', column: 'deleted_at', ms: 30 * DAY, index: 'companies_gone', when: 'deleted_at IS NOT NULL' },
    ],
    why: 'as with contacts',
  },
  crm_sync_states: withAccount('one row'),
  crm_cursors: withAccount('three rows'),
  pay_links: {
    rules: [{ does: 'delete', column: 'ends_at', ms: 400 * DAY, index: 'pay_links_end' }],
    why: 'for thirteen months an old link says that it has ended, after that it is unknown; what was paid by it does not need it',
  },
  payment_attempts: {
    row: 'at least 7 years; no job deletes it',
    rules: [
      {
        does: 'blank',
        what: 'the payer’s names, address and receipt address, who started it, whom the invoice named, what was on the bill, and the signature with its words',
        column: 'settled_at',
        ms: TWO_YEARS,
        apart: true,
      },
      {
        does: 'blank',
        what: '`ip_key`',
        set: "ip_key = ''",
        column: 'created_at',
        ms: 90 * DAY,
        index: 'payment_attempts_with_ip',
        when: "ip_key <> ''",
      },
    ],
    why: 'tax law asks for records of money for up to seven years, and token hash and dedupe key must stay for ever, since they make a replay harmless; the payer’s own data answer a dispute, for which card schemes allow 540 days and the rules of bank debits two years; the hashed address serves limits of an hour, and finding a card tester later',
  },
  refused_tokens: {
    rules: [{ does: 'delete', column: 'refused_at', ms: DAY, index: 'refused_tokens_at' }],
    why: 'a request that was on its way has ended long before; it names no person',
  },
  refused_keys: {
    rules: [{ does: 'delete', column: 'refused_at', ms: DAY, index: 'refused_keys_at' }],
    why: 'a request that was on its way has ended long before; it names no person',
  },
  collections: {
    row: 'at least 7 years; no job deletes it',
    rules: [],
    why: 'it says what a payment was a part of; a trigger refuses that it changes, and it names no person',
  },
  ledger: {
    row: 'at least 7 years; no job deletes it',
    rules: [],
    why: 'triggers refuse changes and deletion: that nothing was charged twice rests on it, and it names no person',
  },
  daily_totals: withAccount('sums of the ledger, without persons'),
  batch_closes: withAccount('it keeps a second press from closing the next batch, however late; it names no customer'),
  batches: withAccount('sums of the card provider, which name no customer'),
  page_views: {
    rules: [{ does: 'delete', column: 'at', ms: 400 * DAY, index: 'page_views_at' }],
    why: 'as with pay links',
  },
  reversals: {
    row: 'at least 7 years; no job deletes it',
    rules: [
      {
        does: 'blank',
        what: '`reason`',
        set: "reason = ''",
        column: 'created_at',
        ms: SEVEN_YEARS,
        index: 'reversals_with_reason',
        when: "reason <> ''",
      },
    ],
    why: 'a record of money; the reason is free text, which may name a person',
  },
  gateway_transactions: {
    rules: [
      {
        does: 'blank',
        what: '`payer`',
        set: "payer = ''",
        column: 'at',
        ms: TWO_YEARS,
        index: 'gateway_transactions_with_payer',
        when: "payer <> ''",
      },
      {
        does: 'delete',
        column: 'at',
        ms: SEVEN_YEARS,
        index: 'gateway_transactions_without_payer',
        when: "payer = ''",
      },
    ],
    why: 'a record of money, and the name on it as long as the payer’s data; reconciliation reads sixty days back, so none returns',
  },
  reconciliation_cursors: withAccount('two rows'),
  resolutions: {
    rules: [{ does: 'delete', column: 'at', ms: SEVEN_YEARS, index: 'resolutions_at' }],
    why: 'it says why a record of money is as it is, in a person’s words',
  },
  reversal_resolutions: {
    rules: [{ does: 'delete', column: 'at', ms: SEVEN_YEARS, index: 'reversal_resolutions_at' }],
    why: 'as with payments',
  },
  users: {
    row: 'with the account',
    rules: [
      {
        does: 'blank',
        what: '`email` and `name`',
        set: "email = '', name = ''",
        column: 'last_login_at',
        ms: TWO_YEARS,
        index: 'users_with_email',
        when: "email <> ''",
      },
    ],
    why: 'refunds and batches name the id; a login fills the e-mail in again',
  },
  invitations: {
    rules: [atItsEnd('invitations_end')],
    why: 'good for 7 days, once, while who sent it is an administrator',
  },
  sessions: {
    rules: [{ does: 'delete', column: 'ends_at', ms: 7 * DAY, index: 'sessions_end' }],
    why: 'an ended session opens nothing; for a week it tells after an incident who was logged in',
  },
  staff_passkeys: {
    row: 'until it is removed, or its person from the team',
    rules: [],
    why: 'a public key, which opens nothing by itself; its person logs in by it',
  },
  support_views: {
    rules: [{ does: 'delete', column: 'ends_at', ms: 7 * DAY, index: 'support_views_end' }],
    why: 'as with sessions; that it was granted stays in the trail',
  },
  pins: {
    row: 'until it is removed, or its person from the team',
    rules: [],
    why: 'a slow hash, which leaves the clinic’s database never',
  },
  factor_codes: {
    rules: [{ does: 'delete', column: 'created_at', ms: DAY, index: 'factor_codes_created' }],
    why: 'good for 10 minutes, once; a person gets at most five in an hour',
  },
  taken_challenges: {
    rules: [atItsEnd('taken_challenges_end')],
    why: 'a challenge is answered once, and after its end never',
  },
  approvals: {
    rules: [{ does: 'delete', column: 'requested_at', ms: SEVEN_YEARS, index: 'approvals_asked' }],
    why: 'it says who agreed that money went back',
  },
  merchants: withAccount('one row'),
  status_reports: withAccount('one row'),
  merchant_logs: {
    rules: [{ does: 'delete', column: 'at', ms: SEVEN_YEARS, index: 'merchant_logs_at' }],
    why: 'how the business came to its account at the provider; the hash keeps a repeated message from counting',
  },
  waiting_triggers: { row: 'until the restore ends', rules: [], why: 'they are the database’s own' },
  list_counts: withAccount('sums'),
  owed_totals: withAccount('sums'),
  owing_customers: withAccount('sums'),
  invoice_search: { row: 'as long as the row is shown', rules: [], why: 'triggers follow `invoices`' },
  customer_search: { row: 'as long as the row is shown', rules: [], why: 'triggers follow `contacts`' },
  invoice_signatures: {
    row: 'until it is replaced or taken away',
    rules: [{ does: 'delete', what: 'row and picture', column: 'saved_at', ms: TWO_YEARS, apart: true }],
    why: 'as with a payer’s signature',
  },
  reminder_plans: withAccount('one row'),
  reminders: {
    rules: [{ does: 'delete', column: 'planned_at', ms: SEVEN_YEARS, index: 'reminders_planned' }],
    why: 'it keeps a reminder from being sent twice, and says why one was not; it names an invoice and no person',
  },
  reminder_exclusions: withAccount('what staff decided about an invoice; it names no customer'),
  crm_write_settings: withAccount('one row'),
  crm_writes: {
    rules: [{ does: 'delete', column: 'created_at', ms: SEVEN_YEARS, index: 'crm_writes_made' }],
    why: 'it keeps a payment from being recorded twice, and says who recorded one by hand',
  },
  reminder_opt_outs: {
    row: 'with the account once its payer has stopped the reminders',
    rules: [
      {
        ...{ does: 'delete', what: 'addresses that stopped nothing', column: 'made_at', ms: 400 * DAY },
        ...{ index: 'reminder_opt_outs_unused', when: 'stopped_at IS NULL' },
      },
    ],
    why: 'the way out of a mail works for thirteen months after the last one; who took it must not be written to again',
  },
  mailings: {
    rules: [{ does: 'delete', column: 'requested_at', ms: 400 * DAY, index: 'mailings_asked' }],
    why: 'as long as the mails that it sent',
  },
  mailing_invoices: {
    rules: [{ does: 'delete', column: 'at', ms: 400 * DAY, index: 'mailing_invoices_at' }],
    why: 'as long as the mails: it keeps one from being sent twice, and says why one was not; it names no person',
  },
  mail_days: {
    rules: [{ does: 'delete', column: 'at', ms: 31 * DAY, index: 'mail_days_at' }],
    why: 'a cap counts one day',
  },
  archives: {
    rules: [{ does: 'delete', what: 'row and files', column: 'ends_at', ms: 0, apart: true }],
    why: 'a download waits a week to be fetched; a copy of everything must not lie about',
  },
  closings: { row: 'until it is taken back, or the account is erased', rules: [], why: 'the day on which it closes' },
  mail_addresses: {
    rules: [{ does: 'delete', column: 'at', ms: 400 * DAY, index: 'mail_addresses_at' }],
    why: 'as long as the mail that came back: after thirteen months an address is tried again',
  },
  payment_notices: {
    row: 'until it is switched off, or its person removed from the team',
    rules: [],
    why: 'one row for each person who wants the mails',
  },
  audit_mails: { row: 'until it is switched off', rules: [], why: 'one row for each administrator who wants the mail' },
};
