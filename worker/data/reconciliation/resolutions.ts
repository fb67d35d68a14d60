import { and, desc, eq } from 'drizzle-orm';
import { reversals, reversalResolutions as rr } from '#worker/data/schema/refunds';
import { invoices, paymentAttempts, resolutions as r, users } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

export const listResolutions = (db: Db, accountId: number, limit: number) =>
  db
    .select({
      id: r.id,
      invoiceNumber: paymentAttempts.invoiceNumber,
      amountCents: paymentAttempts.amountCents,
      verdict: r.verdict,
      note: r.note,
      email: users.email,
      at: r.at,
    })
    .from(r)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, r.attemptId))
    .leftJoin(users, and(eq(users.accountId, r.accountId), eq(users.userId, r.resolvedBy)))
    .where(eq(r.accountId, accountId))
    .orderBy(desc(r.at))
    .limit(limit);

/** A merchant's voids and refunds that need a person, oldest first. */
export const listUndecidedReversals = (db: Db, accountId: number) =>
  db
    .select({
      id: reversals.id,
      kind: reversals.kind,
      amountCents: reversals.amountCents,
      reason: reversals.reason,
      why: reversals.message,
      createdAt: reversals.createdAt,
      requestedBy: users.email,
      invoiceId: paymentAttempts.invoiceId,
      invoiceNumber: paymentAttempts.invoiceNumber,
      paidCents: paymentAttempts.amountCents,
      refundedCents: paymentAttempts.refundedCents,
      firstName: invoices.contactFirstName,
      lastName: invoices.contactLastName,
      companyName: invoices.companyName,
    })
    .from(reversals)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, reversals.attemptId))
    .leftJoin(
      invoices,
      and(eq(invoices.accountId, paymentAttempts.accountId), eq(invoices.invoiceId, paymentAttempts.invoiceId)),
    )
    .leftJoin(users, and(eq(users.accountId, reversals.accountId), eq(users.userId, reversals.requestedBy)))
    .where(and(eq(reversals.accountId, accountId), eq(reversals.state, 'needs_human')))
    .orderBy(reversals.createdAt);

export const listReversalResolutions = (db: Db, accountId: number, limit: number) =>
  db
    .select({
      id: rr.id,
      invoiceNumber: paymentAttempts.invoiceNumber,
      kind: reversals.kind,
      amountCents: reversals.amountCents,
      verdict: rr.verdict,
      note: rr.note,
      email: users.email,
      at: rr.at,
    })
    .from(rr)
    .innerJoin(reversals, eq(reversals.id, rr.reversalId))
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, reversals.attemptId))
    .leftJoin(users, and(eq(users.accountId, rr.accountId), eq(users.userId, rr.resolvedBy)))
    .where(eq(rr.accountId, accountId))
    .orderBy(desc(rr.at))
    .limit(limit);
