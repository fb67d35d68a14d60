import { and, asc, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import {
  accounts,
  crmTokens,
  invoiceSignatures,
  invoices,
  ledger,
  merchants,
  outbox,
  payLinks,
  paymentAttempts,
  terminals,
} from '#worker/data/schema/schema';
import { type Db, type RawRow, unindexed } from '../db.ts';
import { isFrozen } from '../payable-conditions.ts';
import { LISTED_KINDS, mailAddresses, PAYMENT_REQUEST_KINDS } from '../schema/mail.ts';

/** Kinds of emails that a customer receives about an invoice. */
const INVOICE_MAILS = ['pay-link', 'receipt', 'crm-receipt'] as const;

/**
 * A merchant's invoice with all its data, in one round trip. `id`: the CRM's id or one of the invoice's pay ids. Ids of
 * another account are not found.
 */
export async function findMerchantInvoice(db: Db, { accountId }: { accountId: number }, id: string) {
  const invoiceId = sql`coalesce((SELECT invoice_id FROM pay_links WHERE pay_id = ${id} AND account_id = ${accountId}), ${id})`;
  const [
    [invoice],
    [account],
    [merchant],
    [tokens],
    [link],
    attempts,
    payments,
    counterTerminals,
    [mailed],
    [signature],
    [badAddress],
  ] = await db.batch([
    db
      .select({
        ...getTableColumns(invoices),
        isFrozen: sql`${sql.raw(isFrozen('invoices.account_id', 'invoices.invoice_id'))}`.mapWith(Boolean),
      })
      .from(invoices)
      .where(and(eq(invoices.accountId, accountId), eq(invoices.invoiceId, invoiceId))),
    db.select().from(accounts).where(eq(accounts.accountId, accountId)),
    db.select().from(merchants).where(eq(merchants.accountId, accountId)),
    db.select().from(crmTokens).where(eq(crmTokens.accountId, accountId)),
    db
      .select()
      .from(payLinks)
      .where(and(eq(payLinks.accountId, accountId), eq(payLinks.invoiceId, invoiceId), eq(payLinks.state, 'live'))),
    db
      .select()
      .from(paymentAttempts)
      .where(and(eq(paymentAttempts.accountId, accountId), eq(paymentAttempts.invoiceId, invoiceId)))
      .orderBy(desc(unindexed(paymentAttempts.createdAt)))
      .limit(20),
    db
      .select()
      .from(ledger)
      .where(
        and(
          eq(ledger.kind, 'payment'),
          inArray(
            ledger.attemptId,
            db
              .select({ id: paymentAttempts.id })
              .from(paymentAttempts)
              .where(and(eq(paymentAttempts.accountId, accountId), eq(paymentAttempts.invoiceId, invoiceId))),
          ),
        ),
      )
      .orderBy(asc(ledger.at)),
    db
      .select({ terminalId: terminals.terminalId, name: terminals.name })
      .from(terminals)
      .where(eq(terminals.accountId, accountId)),
    db
      .select({ kind: outbox.kind, sentAt: outbox.sentAt, delivery: outbox.delivery })
      .from(outbox)
      .where(
        and(
          eq(outbox.accountId, accountId),
          eq(outbox.invoiceId, invoiceId),
          eq(outbox.state, 'sent'),
          inArray(outbox.kind, INVOICE_MAILS),
        ),
      )
      .orderBy(desc(outbox.sentAt))
      .limit(1),
    db
      .select()
      .from(invoiceSignatures)
      .where(and(eq(invoiceSignatures.accountId, accountId), eq(invoiceSignatures.invoiceId, invoiceId))),
    db
      .select({ address: mailAddresses.address, why: mailAddresses.why })
      .from(mailAddresses)
      .where(
        and(
          eq(mailAddresses.accountId, accountId),
          eq(
            mailAddresses.address,
            db
              .select({ address: sql`lower(trim(${invoices.contactEmail}))` })
              .from(invoices)
              .where(and(eq(invoices.accountId, accountId), eq(invoices.invoiceId, invoiceId))),
          ),
        ),
      ),
  ]);
  return {
    invoice,
    account,
    merchant,
    tokens: tokens && { ...tokens, timeZone: account?.timeZone ?? 'UTC' },
    link,
    attempts,
    payments,
    counterTerminals,
    mailed,
    signature,
    badAddress,
  };
}

export type MerchantInvoiceRows = Awaited<ReturnType<typeof findMerchantInvoice>>;

const SELECT_OPENINGS = `SELECT count(*) AS times, min(at) AS first_at, max(at) AS last_at FROM page_views
WHERE account_id = ?1 AND invoice_id = ?2`;

/** Sent pay links and reminders, one row per kind. */
const SELECT_REQUESTS = `SELECT kind, count(*) AS times, min(sent_at) AS first_at, max(sent_at) AS last_at, recipient FROM outbox
WHERE account_id = ?1 AND invoice_id = ?2 AND kind IN ${PAYMENT_REQUEST_KINDS} AND state = 'sent'
GROUP BY kind`;

/** Emails to the customer. A reminder with state `failed` was dropped before it was sent, and is omitted. */
const SELECT_MAILS = `SELECT kind, state, delivery, coalesce(sent_at, created_at) AS at FROM outbox
WHERE account_id = ?1 AND invoice_id = ?2 AND kind IN ${LISTED_KINDS}
  AND (kind <> 'reminder' OR state <> 'failed')
ORDER BY created_at DESC LIMIT 20`;

/** Approved reversals, dated by the ledger as on the receipt, because we may have learned of them days later. */
const SELECT_REVERSALS = `SELECT r.id, r.kind, r.amount_cents, coalesce((SELECT l.at FROM ledger l WHERE l.account_id = r.account_id
    AND l.provider_txn_id IN (r.provider_txn_id, r.provider_txn_id || '-' || r.kind) AND l.kind = r.kind
    AND l.attempt_id = r.attempt_id), r.settled_at, r.created_at) AS at, r.reason, r.attempt_id,
  coalesce(nullif(u.name, ''), u.email, '') AS requested_by, a.terminal_id,
  coalesce(nullif(g.batch_id, ''), r.batch_id) AS batch_id
FROM payment_attempts a CROSS JOIN reversals r ON r.attempt_id = a.id
LEFT JOIN gateway_transactions g ON g.account_id = r.account_id AND g.provider_txn_id = r.provider_txn_id AND g.method = a.method
LEFT JOIN users u ON u.account_id = r.account_id AND u.user_id = r.requested_by
WHERE a.account_id = ?1 AND a.invoice_id = ?2 AND r.state = 'approved'
ORDER BY +r.created_at DESC LIMIT 20`;

/** The invoice's payments with their batches and, if the account records payments in its CRM, with the result. */
const SELECT_PAYMENTS = `SELECT a.id AS attempt_id, coalesce(g.batch_id, '') AS batch_id, b.settled_at, b.status, b.confirmation_code,
  b.net_cents, b.funded_on, b.deposit_cents,
  s.state AS account, s.said AS account_said, w.state, w.effect, w.said, w.note, w.done_at,
  w.amount_cents AS recorded_cents, coalesce((SELECT sum(r.amount_cents) FROM crm_writes r
    WHERE r.attempt_id = a.id AND r.kind = 'reversal' AND r.state = 'written' AND r.effect = 'balance_moved'), 0) AS back_cents
FROM payment_attempts a
LEFT JOIN gateway_transactions g ON g.account_id = a.account_id AND g.provider_txn_id = a.provider_txn_id AND g.method = a.method
LEFT JOIN batches b ON b.account_id = g.account_id AND b.terminal_id = a.terminal_id AND b.batch_id = g.batch_id
LEFT JOIN crm_write_settings s ON s.account_id = a.account_id AND s.is_on = 1
LEFT JOIN crm_writes w ON w.id = 'pay-' || a.id
WHERE a.account_id = ?1 AND a.invoice_id = ?2 ORDER BY +a.created_at DESC LIMIT 20`;

/** The data of an invoice that findMerchantInvoice does not read, in one round trip. */
export async function readInvoiceHistory({ $client: d1 }: Db, accountId: number, invoiceId: string) {
  const [openings, requests, mails, reversals, attempts] = await d1.batch<RawRow>(
    [SELECT_OPENINGS, SELECT_REQUESTS, SELECT_MAILS, SELECT_REVERSALS, SELECT_PAYMENTS].map((sql) =>
      d1.prepare(sql).bind(accountId, invoiceId),
    ),
  );
  return {
    openings: openings?.results[0],
    requests: requests?.results ?? [],
    mails: mails?.results ?? [],
    reversals: reversals?.results ?? [],
    attempts: attempts?.results ?? [],
  };
}

export type InvoiceHistoryRows = Awaited<ReturnType<typeof readInvoiceHistory>>;
