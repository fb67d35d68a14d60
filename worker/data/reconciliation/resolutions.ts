import { and, desc, eq } from 'drizzle-orm';
import { reversalResolutions as reversalResolutionTable, reversals } from '#worker/data/schema/refunds';
import { invoices, paymentAttempts, resolutions as resolutionTable, users } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

export const listResolutions = (db: Db, accountId: number, limit: number) =>
  db
    .select({
      id: resolutionTable.id,
      invoiceNumber: paymentAttempts.invoiceNumber,
      amountCents: paymentAttempts.amountCents,
      verdict: resolutionTable.verdict,
      note: resolutionTable.note,
      email: users.email,
      at: resolutionTable.at,
    })
    .from(resolutionTable)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, resolutionTable.attemptId))
    .leftJoin(users, and(eq(users.accountId, resolutionTable.accountId), eq(users.userId, resolutionTable.resolvedBy)))
    .where(eq(resolutionTable.accountId, accountId))
    .orderBy(desc(resolutionTable.at))
    .limit(limit);

/** A merchant's voids and refunds that need a person, oldest first. */
export const listUndecidedReversals = (db: Db, accountId: number) =>
  db
    .select({
      id: reversals.id,
      kind: reversals.kind,
      amountCents: reversals.amountCents,
      reason: reversals.reason,
      gatewayMessage: reversals.message,
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
      id: reversalResolutionTable.id,
      invoiceNumber: paymentAttempts.invoiceNumber,
      kind: reversals.kind,
      amountCents: reversals.amountCents,
      verdict: reversalResolutionTable.verdict,
      note: reversalResolutionTable.note,
      email: users.email,
      at: reversalResolutionTable.at,
    })
    .from(reversalResolutionTable)
    .innerJoin(reversals, eq(reversals.id, reversalResolutionTable.reversalId))
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, reversals.attemptId))
    .leftJoin(
      users,
      and(eq(users.accountId, reversalResolutionTable.accountId), eq(users.userId, reversalResolutionTable.resolvedBy)),
    )
    .where(eq(reversalResolutionTable.accountId, accountId))
    .orderBy(desc(reversalResolutionTable.at))
    .limit(limit);
