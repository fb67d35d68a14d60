import { and, asc, eq, isNull } from 'drizzle-orm';
import { collections } from '#worker/data/schema/invoices';
import { invoices } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

/**
 * Collections in installments that await a decision on the amount owed, because it has changed in the CRM; oldest
 * first.
 */
export const listFrozenCollections = (db: Db, accountId: number) =>
  db
    .select({
      invoiceId: collections.invoiceId,
      invoiceNumber: invoices.number,
      remainingCents: invoices.listBalanceCents,
      crmBalanceCents: collections.frozenBalanceCents,
      frozenAt: collections.frozenAt,
      firstName: invoices.contactFirstName,
      lastName: invoices.contactLastName,
      companyName: invoices.companyName,
    })
    .from(collections)
    .innerJoin(
      invoices,
      and(
        eq(invoices.accountId, collections.accountId),
        eq(invoices.invoiceId, collections.invoiceId),
        eq(invoices.collection, collections.n),
      ),
    )
    .where(
      and(
        eq(collections.accountId, accountId),
        eq(collections.state, 'frozen'),
        eq(invoices.localStatus, 'none'),
        // If the CRM no longer has the invoice, it is not payable and needs no decision. It is listed again if the CRM
        // restores it.
        isNull(invoices.deletedAt),
      ),
    )
    .orderBy(asc(collections.frozenAt))
    .limit(200);
