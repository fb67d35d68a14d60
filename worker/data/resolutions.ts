import { and, desc, eq } from 'drizzle-orm';
import type { Db } from './db.ts';
import { invoices, paymentAttempts, resolutions as r, users } from './schema.ts';

/** A merchant's payments that wait for a person, oldest first. */
export const listUndecided = (db: Db, hubId: number) =>
  db
    .select({
      id: paymentAttempts.id,
      invoiceId: paymentAttempts.invoiceId,
      invoiceNumber: paymentAttempts.invoiceNumber,
      amountCents: paymentAttempts.amountCents,
      createdAt: paymentAttempts.createdAt,
      firstName: invoices.contactFirstName,
      lastName: invoices.contactLastName,
      companyName: invoices.companyName,
    })
    .from(paymentAttempts)
    .leftJoin(
      invoices,
      and(eq(invoices.hubId, paymentAttempts.hubId), eq(invoices.invoiceId, paymentAttempts.invoiceId)),
    )
    .where(and(eq(paymentAttempts.hubId, hubId), eq(paymentAttempts.state, 'needs_human')))
    .orderBy(paymentAttempts.createdAt);

export async function keepResolution(db: Db, row: typeof r.$inferInsert): Promise<void> {
  await db.insert(r).values(row);
}

export const listResolutions = (db: Db, hubId: number, limit: number) =>
  db
    .select({
      invoiceNumber: paymentAttempts.invoiceNumber,
      amountCents: paymentAttempts.amountCents,
      verdict: r.verdict,
      note: r.note,
      email: users.email,
      at: r.at,
    })
    .from(r)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, r.attemptId))
    .leftJoin(users, and(eq(users.hubId, r.hubId), eq(users.userId, r.resolvedBy)))
    .where(eq(r.hubId, hubId))
    .orderBy(desc(r.at))
    .limit(limit);
