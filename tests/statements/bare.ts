import type { Excuse } from './growing.ts';

/** Statements that found rows in their test but find none in a drawn clinic. */
export const bare: Excuse[] = [
  {
    file: 'worker/clinic/no-such-clinic.ts',
    is: /from "merchants"/,
    why: 'By the number that the provider gave to the test’s own merchant.',
  },
  { file: 'worker/data/alerts/measure.ts', is: /./, why: 'It asks for trouble, of which the clinic has none.' },
  {
    file: 'worker/data/audit/checks.ts',
    is: /FROM audit_mails m JOIN users/,
    why: 'Weekly mails wait while another mail is overdue, as some of the clinic are.',
  },
  { file: 'worker/data/audit/trail.ts', is: /JOIN invitations/, why: 'Invitations of the test’s own events.' },
  {
    file: 'worker/data/batches/batches.ts',
    is: /update "batch_closes"/,
    why: 'A close that is sent or has failed, of which the clinic has none.',
  },
  {
    file: 'worker/data/crm-sync/records.ts',
    is: /UPDATE \w+ INDEXED BY/,
    why: 'It writes a changed name through; a record is drawn as it stands here.',
  },
  {
    file: 'worker/data/crm-sync/records.ts',
    is: /WHERE NOT EXISTS \(SELECT 1 FROM/,
    why: 'It finds records that are not synced; a record is drawn as it stands here.',
  },
  { file: 'worker/data/crm-sync/state.ts', is: /lease_id/, why: 'It asks for the lease of a run that is under way.' },
  {
    file: 'worker/data/keys/sealed-values.ts',
    is: /./,
    why: 'It asks for values of an older key; those of the clinic are sealed with none.',
  },
  { file: 'worker/data/leaving/archives.ts', is: /INSERT INTO archives/, why: 'For a clinic that makes none yet.' },
  {
    file: 'worker/data/lists/read-page.ts',
    is: /SELECT \* FROM \(.* UNION ALL /,
    why: 'The row it goes on from stood in the test’s own list.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    is: /SELECT t\.rowid AS found FROM/,
    why: 'In a big clinic there are too many to sort, and the order is walked instead.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    is: /_search (?:WHERE \w+_search MATCH|s CROSS JOIN)/,
    why: 'The words are the test’s own.',
  },
  {
    file: 'worker/data/mail/events.ts',
    is: /(?:DELETE FROM|INSERT INTO) mail_addresses/,
    why: 'Addresses that came back at times of the test’s own clock, which begins with 1.',
  },
  {
    file: 'worker/data/mail/notices.ts',
    is: /FROM payment_notices n JOIN users/,
    why: 'By an address of the test’s own.',
  },
  {
    file: 'worker/data/mail/notices.ts',
    is: /c\.state = 'frozen'/,
    why: 'An invoice whose balance is in doubt, of which the clinic has none.',
  },
  {
    file: 'worker/data/mailings/mailings.ts',
    is: /INSERT INTO mailings/,
    why: 'For a clinic without a mailing under way.',
  },
  {
    file: 'worker/data/merchants/accounts.ts',
    is: /(?:invitations|"users")/,
    why: 'By an address of the test’s own, or an invitation that is open in it alone.',
  },
  {
    file: 'worker/data/merchants/accounts.ts',
    is: /(?:invitations|update "users")/,
    why: 'By an address of the test’s own, or an invitation that is open in it alone.',
  },
  { file: 'worker/data/merchants/accounts.ts', is: /insert into "crm_cursors"/, why: 'For a new account.' },
  { file: 'worker/data/merchants/merchants.ts', is: /"merchants"/, why: 'For a merchant that is not boarded yet.' },
  {
    file: 'worker/data/merchants/passkeys.ts',
    is: /insert into "staff_passkeys"|update "sessions"/,
    why: 'For a person without a passkey, in the session that made one.',
  },
  {
    file: 'worker/data/merchants/pay-page-settings.ts',
    is: /update "invoices"/,
    why: 'It takes the lines of bills away; invoices that were drawn have none.',
  },
  {
    file: 'worker/data/merchants/proofs.ts',
    is: /insert into "(?:pins|audit_events)"|update "pins"/,
    why: 'For a person without a PIN, and by the hash of one that the test takes away again.',
  },
  {
    file: 'worker/data/merchants/staff-invitations.ts',
    is: /(?:invitations|"users")/,
    why: 'By an address of the test’s own, or an invitation that is open in it alone.',
  },
  {
    file: 'worker/data/merchants/staff-invitations.ts',
    is: /invitations/,
    why: 'By an address of the test’s own, or an invitation that is open in it alone.',
  },
  {
    file: 'worker/data/merchants/support-views.ts',
    is: /insert into/,
    why: 'For a clinic that nobody may look at yet.',
  },
  {
    file: 'worker/data/merchants/team.ts',
    is: /(?:invitations|COLLATE NOCASE|insert into "audit_events"|update "(?:sessions|users)"|delete from "(?:pins|staff_passkeys)")/,
    why: 'By an address of the test’s own, an invitation that is open in it alone, or of a person who is removed in it.',
  },
  {
    file: 'worker/data/offers.ts',
    is: /./,
    why: 'What the test’s own invoice is charged for next.',
  },
  { file: 'worker/data/operate/dumps.ts', is: /dump/, why: 'It asks for a dump that is due or under way.' },
  {
    file: 'worker/data/operate/file-copies.ts',
    is: /signature_key IS NOT NULL/,
    why: 'It asks for pictures; those payments that were drawn have none.',
  },
  { file: 'worker/data/operators/interventions.ts', is: /./, why: 'It puts forward what trouble has put off.' },
  { file: 'worker/data/operators/look.ts', is: /INDEXED BY outbox_due/, why: 'Mails that wait, of which it has none.' },
  {
    file: 'worker/data/operators/look.ts',
    is: /payment_attempts_undecided/,
    why: 'It asks for payments without an outcome, of which the clinic has none.',
  },
  {
    file: 'worker/data/parts/collections.ts',
    is: /INDEXED BY invoices_in_parts/,
    why: 'It asks for what the CRM has changed in the last hour.',
  },
  {
    file: 'worker/data/parts/collections.ts',
    is: /INSERT INTO collections|UPDATE (?:collections|invoices) /,
    why: 'It begins or ends a collection that is in the state the test has brought it to, by its invoice.',
  },
  {
    file: 'worker/data/payments/attempts.ts',
    is: /"local_status" = |into "outbox"/,
    why: 'What follows from a payment that the bank returned, by its id.',
  },
  {
    file: 'worker/data/payments/attempts.ts',
    is: /update "invoices" set "collection"/,
    why: 'The invoice of a payment that did not go through, by its id.',
  },
  {
    file: 'worker/data/payments/attempts.ts',
    is: /update "payment_attempts"/,
    why: 'A move of one attempt from a state that it is not in, by its id.',
  },
  {
    file: 'worker/data/payments/refused-tokens.ts',
    is: /refused_(?:tokens|keys)/,
    why: 'By the hash of the test’s own card token, and by the key of its form.',
  },
  { file: 'worker/data/preview/mail.ts', is: /from "outbox"/, why: 'Mails that staff sent by hand on this day.' },
  {
    file: 'worker/data/reconciliation/cursors.ts',
    is: /FROM crm_sync_states/,
    why: 'A first copy of the CRM that is under way; that of the clinic is complete.',
  },
  { file: 'worker/data/reconciliation/cursors.ts', is: /reconciliation_cursors/, why: 'For a new merchant.' },
  {
    file: 'worker/data/reconciliation/gateway-transactions.ts',
    is: /"parent_id" = \?/,
    why: 'The refunds of one charge, of which the clinic has none.',
  },
  {
    file: 'worker/data/reconciliation/gateway-transactions.ts',
    is: /FROM ledger l INDEXED BY ledger_day CROSS JOIN/,
    why: 'Payments that the gateway does not show; of those drawn there are none.',
  },
  {
    file: 'worker/data/reconciliation/gateway-transactions.ts',
    is: /insert into "gateway_transactions"/,
    why: 'It keeps a verdict only while the ledger says what the test’s own ledger said; readBooks shows what that costs.',
  },
  {
    file: 'worker/data/reconciliation/transaction-queries.ts',
    is: /./,
    why: 'Payments that no batch has settled; those that were drawn are all settled.',
  },
  {
    file: 'worker/data/refunds/approvals.ts',
    is: /state = 'waiting' AND EXISTS|AND \(EXISTS|insert into "approvals"/,
    why: 'An approval that can no longer be carried out, or a limit of managers: the clinic has neither.',
  },
  {
    file: 'worker/data/refunds/corrected-refunds.ts',
    is: /./,
    why: 'A refund that the gateway shows differently than before, of which the clinic has none.',
  },
  {
    file: 'worker/data/refunds/reopened-invoices.ts',
    is: /update "invoices"/,
    why: 'The collection of an invoice that was paid back, by its id.',
  },
  {
    file: 'worker/data/refunds/reversals.ts',
    is: /from "reversals"/,
    why: 'By the key of the test’s own request.',
  },
  {
    file: 'worker/data/refunds/reversals.ts',
    is: /refund_limit_cents/,
    why: 'For a manager, where the account lets them give back a sum.',
  },
  {
    file: 'worker/data/refunds/reversals.ts',
    is: /update /,
    why: 'A move of one reversal from a state that it is not in, by its id.',
  },
  {
    file: 'worker/data/reminders/choose-invoices.ts',
    is: /INSERT INTO reminders/,
    why: 'For a day of the test’s own clock, on which its own invoices are due.',
  },
  {
    file: 'worker/data/retention/payer-data.ts',
    is: /./,
    why: 'It asks for signatures older than two years, by their payers’ data; those that were drawn have none.',
  },
  { file: 'worker/data/retention/person.ts', is: /./, why: 'It asks for the test’s own person, by email.' },
  {
    file: 'worker/data/retention/statements.ts',
    is: /./,
    why: 'It asks for rows that have outlived their period, as a test leaves them on purpose.',
  },
  {
    file: 'worker/data/takings/day.ts',
    is: /INDEXED BY (?:ledger_day|payment_attempts_undecided|batch_closes_ended)/,
    why: 'A day of the test’s own clock, which is ahead of what was drawn.',
  },
  { file: 'worker/data/takings/payment-list.ts', is: /ORDER BY at/, why: 'By the days and words of its test.' },
  {
    file: 'worker/data/today/today.ts',
    is: /./,
    why: 'It asks for open invoices without an amount that can be read, of which none was drawn.',
  },
  {
    file: 'worker/data/today/today.ts',
    is: /ORDER BY l\.at DESC/,
    why: 'The day of the test’s own clock, which is ahead of what was drawn.',
  },
  {
    file: 'worker/data/write-back/unrecorded.ts',
    is: /kind = 'reversal'/,
    why: 'By the id of the test’s own refund; of those drawn none is owed to the CRM.',
  },
  {
    file: 'worker/data/write-back/writes.ts',
    is: /update "crm_writes"/,
    why: 'A move of one write from a state that it is not in, by its id.',
  },
  {
    file: 'worker/domain/batches/view-batches.ts',
    is: /from "payment_attempts"/,
    why: 'Payments at a card reader that have no outcome, of which the clinic has none.',
  },
  {
    file: 'worker/domain/merchants/boarding.ts',
    is: /from "merchants"/,
    why: 'By the number that the provider gave to the test’s own merchant.',
  },
  { file: 'worker/domain/operate/dump.ts', is: /dump_tables/, why: 'Of a dump that is under way.' },
  { file: 'worker/domain/reconciliation/run.ts', is: /reconciliation_cursors/, why: 'Readings that are due.' },
  {
    file: 'worker/domain/reconciliation/view-reconciliation.ts',
    is: /frozen_balance_cents/,
    why: 'An invoice whose balance is in doubt, of which the clinic has none.',
  },
  {
    file: 'worker/domain/refunds/approvals.ts',
    is: /update "approvals"/,
    why: 'An approved refund that has not been carried out, by its id.',
  },
  {
    file: 'worker/domain/refunds/inquire.ts',
    is: /from "reversals"/,
    why: 'Refunds without an outcome that are due, of which the clinic has none.',
  },
  {
    file: 'worker/domain/today/view-today.ts',
    is: /frozen_balance_cents/,
    why: 'An invoice whose balance is in doubt, of which the clinic has none.',
  },
];
