import { and, desc, eq, gt, ne } from 'drizzle-orm';
import type { Db } from './db.ts';
import { invoices, payLinks } from './schema.ts';

/** The live link of an invoice that has not ended yet, if there is one. */
export async function findLiveLink(db: Db, hubId: number, invoiceId: string, now: number) {
  const link = await db.query.payLinks.findFirst({
    where: and(eq(payLinks.hubId, hubId), eq(payLinks.invoiceId, invoiceId), eq(payLinks.state, 'live')),
  });
  return link && link.endsAt > now ? link : undefined;
}

/** Replace whatever link the invoice had by a new one, in one transaction; the old one becomes `revoked` or `ended`. */
export async function replaceLink(db: Db, link: typeof payLinks.$inferInsert, oldBecomes: 'revoked' | 'ended') {
  await db.batch([
    db
      .update(payLinks)
      .set({ state: oldBecomes })
      .where(and(eq(payLinks.hubId, link.hubId), eq(payLinks.invoiceId, link.invoiceId), eq(payLinks.state, 'live'))),
    db.insert(payLinks).values(link),
  ]);
}

export async function extendLink(db: Db, payId: string, endsAt: number) {
  await db.update(payLinks).set({ endsAt }).where(eq(payLinks.payId, payId));
}

/** Links of a hub whose invoice our last copy shows as payable by card, newest first. */
export const listPayableLinks = (db: Db, hubId: number, now: number) =>
  db
    .select({ payId: payLinks.payId, invoiceId: payLinks.invoiceId })
    .from(payLinks)
    .innerJoin(invoices, and(eq(invoices.hubId, payLinks.hubId), eq(invoices.invoiceId, payLinks.invoiceId)))
    .where(
      and(
        eq(payLinks.hubId, hubId),
        eq(payLinks.state, 'live'),
        gt(payLinks.endsAt, now),
        eq(invoices.status, 'open'),
        eq(invoices.currency, 'USD'),
        gt(invoices.balanceCents, 0),
        eq(invoices.overlay, 'none'),
        ne(invoices.contactEmail, ''),
      ),
    )
    .orderBy(desc(payLinks.issuedAt), payLinks.payId);
