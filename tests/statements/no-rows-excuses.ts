import type { Excuse } from './growth-excuses.ts';
import { domainExcuses } from './no-rows-excuses-domain.ts';
import { merchantExcuses } from './no-rows-excuses-merchants.ts';

/** Exceptions for statements that found rows in their test but find none in a seeded clinic. */
export const noRowsExcuses: Excuse[] = [
  {
    file: 'worker/clinic/no-such-clinic.ts',
    pattern: /from "merchants"/,
    reason: 'Looks up the merchant number of the test’s own merchant.',
  },
  { file: 'worker/data/alerts/measure.ts', pattern: /./, reason: 'Looks for failures; the clinic has none.' },
  {
    file: 'worker/data/audit/checks.ts',
    pattern: /FROM audit_mails m JOIN users/,
    reason: 'Weekly mails wait while another mail is overdue, and the clinic has overdue mails.',
  },
  {
    file: 'worker/data/audit/trail.ts',
    pattern: /JOIN invitations/,
    reason: 'Finds invitations of the test’s own events.',
  },
  {
    file: 'worker/data/batches/batches.ts',
    pattern: /update "batch_closes"/,
    reason: 'Updates a close that is sent or has failed; the clinic has none.',
  },
  {
    file: 'worker/data/crm-sync/records.ts',
    pattern: /UPDATE \w+ INDEXED BY/,
    reason: 'Copies a changed name; drawn records are unchanged.',
  },
  {
    file: 'worker/data/crm-sync/records.ts',
    pattern: /WHERE NOT EXISTS \(SELECT 1 FROM/,
    reason: 'Finds records that are not synced; drawn records are unchanged.',
  },
  { file: 'worker/data/crm-sync/state.ts', pattern: /lease_id/, reason: 'Finds the lease of a run that is under way.' },
  {
    file: 'worker/data/installments/collections.ts',
    pattern: /INDEXED BY invoices_in_parts/,
    reason: 'Finds invoices that the CRM changed in the last hour.',
  },
  {
    file: 'worker/data/installments/collections.ts',
    pattern: /INSERT INTO collections|UPDATE (?:collections|invoices) /,
    reason: 'Starts or ends a collection whose state the test has prepared, by its invoice.',
  },
  {
    file: 'worker/data/keys/sealed-values.ts',
    pattern: /./,
    reason: 'Finds values sealed with an older key; the clinic has no sealed values.',
  },
  {
    file: 'worker/data/leaving/archives.ts',
    pattern: /INSERT INTO archives/,
    reason: 'Runs only for a clinic without an archive under way.',
  },
  {
    file: 'worker/data/leaving/closings.ts',
    pattern: /from "closings"/,
    reason: 'Reads the request to close the clinic; the drawn clinic stays open.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    pattern: /SELECT \* FROM \(.* UNION ALL /,
    reason: 'Continues after a row of the test’s own list.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    pattern: /SELECT t\.rowid AS found FROM/,
    reason: 'A big clinic has too many rows to sort, so the product walks the order instead.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    pattern: /_search (?:WHERE \w+_search MATCH|s CROSS JOIN)/,
    reason: 'Searches for the test’s own words.',
  },
  {
    file: 'worker/data/mail/events.ts',
    pattern: /(?:DELETE FROM|INSERT INTO) mail_addresses/,
    reason: 'Compares bounce times of the test’s own clock, which starts at 1.',
  },
  {
    file: 'worker/data/mail/notices.ts',
    pattern: /FROM payment_notices n JOIN users/,
    reason: 'Looks up a test address.',
  },
  {
    file: 'worker/data/mail/notices.ts',
    pattern: /c\.state = 'frozen'/,
    reason: 'Finds invoices with a disputed balance; the clinic has none.',
  },
  {
    file: 'worker/data/mailings/mailings.ts',
    pattern: /INSERT INTO mailings/,
    reason: 'Runs only for a clinic without a mailing under way.',
  },
  ...merchantExcuses,
  { file: 'worker/data/operate/dumps.ts', pattern: /dump/, reason: 'Finds a dump that is due or under way.' },
  {
    file: 'worker/data/operate/erase.ts',
    pattern: /FROM sqlite_schema/,
    reason: 'Reads a trigger that exists only while a clinic is being erased.',
  },
  {
    file: 'worker/data/operate/file-copies.ts',
    pattern: /signature_key IS NOT NULL/,
    reason: 'Finds signature pictures; drawn payments have none.',
  },
  {
    file: 'worker/data/operators/interventions.ts',
    pattern: /./,
    reason: 'Reschedules work that failures have delayed; the clinic has none.',
  },
  {
    file: 'worker/data/operators/unsent-mails.ts',
    pattern: /INDEXED BY outbox_due/,
    reason: 'Finds waiting mails; there are none.',
  },
  {
    file: 'worker/data/operators/unsent-mails.ts',
    pattern: /payment_attempts_undecided/,
    reason: 'Finds payments without an outcome; the clinic has none.',
  },
  {
    file: 'worker/data/payable-conditions.ts',
    pattern: /./,
    reason: 'Reads the next charge of the test’s own invoice.',
  },
  {
    file: 'worker/data/payments/attempts.ts',
    pattern: /"local_status" = |into "outbox"/,
    reason: 'Follows up a payment that the bank returned, by its id.',
  },
  {
    file: 'worker/data/payments/attempts.ts',
    pattern: /update "invoices" set "collection"/,
    reason: 'Updates the invoice of a failed payment, by its id.',
  },
  {
    file: 'worker/data/payments/attempts.ts',
    pattern: /update "payment_attempts"/,
    reason: 'Moves an attempt out of a state that the drawn one is not in.',
  },
  {
    file: 'worker/data/payments/refused-tokens.ts',
    pattern: /refused_(?:tokens|keys)/,
    reason: 'Looks up the hash of the test’s own card token and the key of its form.',
  },
  {
    file: 'worker/data/preview/invoice-mail-limits.ts',
    pattern: /from "outbox"/,
    reason: 'Finds mails that staff sent on that day.',
  },
  {
    file: 'worker/data/reconciliation/cursors.ts',
    pattern: /FROM crm_sync_states/,
    reason: 'Finds a first CRM sync that is under way; the clinic’s is complete.',
  },
  {
    file: 'worker/data/reconciliation/cursors.ts',
    pattern: /reconciliation_cursors/,
    reason: 'Runs only for a new merchant.',
  },
  {
    file: 'worker/data/reconciliation/gateway-transactions.ts',
    pattern: /"parent_id" = \?/,
    reason: 'Finds the refunds of a charge; the clinic has none.',
  },
  {
    file: 'worker/data/reconciliation/gateway-transactions.ts',
    pattern: /FROM ledger l INDEXED BY ledger_day CROSS JOIN/,
    reason: 'Finds payments that the gateway does not list; it lists all drawn ones.',
  },
  {
    file: 'worker/data/reconciliation/gateway-transactions.ts',
    pattern: /insert into "gateway_transactions"/,
    reason: 'Keeps a verdict only while the ledger matches the test’s own; readBooks covers the cost.',
  },
  {
    file: 'worker/data/reconciliation/look-alikes.ts',
    pattern: /verdict = 'not-duplicate'/,
    reason: 'Finds pairs of payments that staff set aside; the clinic has none.',
  },
  {
    file: 'worker/data/reconciliation/transaction-queries.ts',
    pattern: /./,
    reason: 'Finds payments that no batch has settled; all drawn payments are settled.',
  },
  {
    file: 'worker/data/refunds/approvals.ts',
    pattern: /state = 'waiting' AND EXISTS|AND \(EXISTS|insert into "approvals"/,
    reason: 'Finds an approval that has become impossible, or a limit for managers; the clinic has neither.',
  },
  {
    file: 'worker/data/refunds/corrected-refunds.ts',
    pattern: /./,
    reason: 'Finds a refund that changed at the gateway; the clinic has none.',
  },
  {
    file: 'worker/data/refunds/reopened-invoices.ts',
    pattern: /update "invoices"/,
    reason: 'Reopens the collection of a refunded invoice, by its id.',
  },
  {
    file: 'worker/data/refunds/reversals.ts',
    pattern: /from "reversals"/,
    reason: 'Looks up the key of the test’s request.',
  },
  { file: 'worker/data/refunds/reversals.ts', pattern: /refund_limit_cents/, reason: 'Runs only with a refund limit.' },
  {
    file: 'worker/data/refunds/reversals.ts',
    pattern: /update /,
    reason: 'Moves a reversal out of a state that the drawn one is not in.',
  },
  {
    file: 'worker/data/reminders/choose-invoices.ts',
    pattern: /INSERT INTO reminders/,
    reason: 'Uses a day of the test’s own clock, on which its own invoices are due.',
  },
  {
    file: 'worker/data/retention/expired-rows.ts',
    pattern: /./,
    reason: 'Finds rows past their retention period, which only the test creates.',
  },
  {
    file: 'worker/data/retention/payer-data.ts',
    pattern: /./,
    reason: 'Finds signatures older than two years by their payers’ data; drawn payments have none.',
  },
  { file: 'worker/data/retention/person.ts', pattern: /./, reason: 'Looks up the test’s own person by email.' },
  {
    file: 'worker/data/takings/day.ts',
    pattern: /INDEXED BY (?:ledger_day|payment_attempts_undecided|batch_closes_ended)/,
    reason: 'Uses a day of the test’s own clock, which is later than all drawn rows.',
  },
  { file: 'worker/data/takings/payment-list.ts', pattern: /ORDER BY at/, reason: 'Uses days and words of the test.' },
  {
    file: 'worker/data/today/today.ts',
    pattern: /./,
    reason: 'Finds open invoices without a readable amount; there are none.',
  },
  {
    file: 'worker/data/today/today.ts',
    pattern: /ORDER BY l\.at DESC/,
    reason: 'Uses the day of the test’s own clock, which is later than all drawn rows.',
  },
  {
    file: 'worker/data/write-back/unrecorded.ts',
    pattern: /kind = 'reversal'/,
    reason: 'Looks up the test’s own refund; no drawn refund is still to be written to the CRM.',
  },
  {
    file: 'worker/data/write-back/writes.ts',
    pattern: /update "crm_writes"/,
    reason: 'Moves a CRM write out of a state that the drawn one is not in.',
  },
  ...domainExcuses,
];
