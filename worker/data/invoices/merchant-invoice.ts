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
import { type Db, unindexed } from '../db.ts';
import { isFrozen } from '../offers.ts';
import { mailAddresses } from '../schema/mail-events.ts';

/** Kinds of mail that a customer gets about an invoice. */
const INVOICE_MAILS = ['pay-link', 'receipt', 'crm-receipt'] as const;

/**
 * A merchant's invoice with all that we know of it, in one trip. `id` is the CRM's or one of the invoice's pay ids;
 * another account's ids are not found.
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
    tokens,
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
