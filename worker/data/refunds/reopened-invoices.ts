import { and, eq, inArray, sql } from 'drizzle-orm';
import { invoices } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** In these local statuses an invoice stays closed to payers until the merchant reopens it. */
export const REOPENABLE = ['refunded', 'voided', 'returned'] as const;

/** Open the next collection of an invoice whose money went back. Of several calls at once, one moves it. */
export async function markInvoiceReopened(
  db: Db,
  accountId: number,
  invoiceId: string,
  event: NewEvent,
): Promise<typeof invoices.$inferSelect | undefined> {
  const own = and(eq(invoices.accountId, accountId), eq(invoices.invoiceId, invoiceId));
  const [, , [row]] = await db.batch([
    db
      .update(invoices)
      .set({ collection: sql`${invoices.collection} + 1`, localStatus: 'none' })
      .where(and(own, inArray(invoices.localStatus, REOPENABLE))),
    eventWrite(db, event),
    db.select().from(invoices).where(own),
  ]);
  return row;
}
