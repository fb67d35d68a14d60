import { and, desc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { NewMail } from '#worker/data/mail/outbox';
import { outbox, payLinks } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { RECEIPT_KINDS } from '../schema/mail.ts';
import { selectValues } from '../sql.ts';

const DAY_MS = 24 * 3_600_000;

export type InvoiceMail = NewMail & {
  kind: 'pay-link' | 'receipt' | 'crm-receipt' | 'test-link';
  accountId: number;
  invoiceId: string;
  /** The mailing to which it belongs, if any. It is only queued while its invoice is waiting in that mailing. */
  mailing?: string;
};

/** To a customer, both kinds of receipt are the same email, regardless of where the payment was recorded. */
const isSameKind = (kind: InvoiceMail['kind']): SQL =>
  kind === 'receipt' || kind === 'crm-receipt' ? sql`kind IN ${sql.raw(RECEIPT_KINDS)}` : sql`kind = ${kind}`;

/** Excludes automatic emails about a payment, its refunds and its return, which staff did not request. */
const wasRequested = sql`kind <> 'debit-returned' AND id NOT GLOB 'receipt-*'`;

/** An email about an invoice that was queued before, by its id. */
export async function findInvoiceMail(db: Db, id: string) {
  const [mail] = await db
    .select({ recipient: outbox.recipient, createdAt: outbox.createdAt, state: outbox.state })
    .from(outbox)
    .where(eq(outbox.id, id));
  return mail && { ...mail, isSent: mail.state === 'sent' };
}

export type QueueOutcome =
  | { isQueued: true }
  /** The time (UTC ms) from which it may be requested again. */
  | { isQueued: false; reason: 'pause' | 'day' | 'account'; until: number };

/**
 * Queue an email that staff requested, unless the same was requested within `pauseMs` or `perDay` is reached. The
 * INSERT itself counts, so concurrent clicks are limited like successive ones. Emailing a pay link extends it.
 */
export async function queueInvoiceMail(
  db: Db,
  mail: InvoiceMail,
  limits: { pauseMs: number; perDay: number; perAccountDay: number },
  now: number,
  event: NewEvent,
  link?: { payId: string; endsAt: number },
): Promise<QueueOutcome> {
  const { details = {}, mailing, ...row } = mail;
  const isOfInvoice = sql`account_id = ${mail.accountId} AND invoice_id = ${mail.invoiceId} AND ${wasRequested}`;
  const today = now - (now % DAY_MS);
  const isAllowed = sql`(SELECT count(*) FROM outbox WHERE ${isOfInvoice} AND created_at > ${now - DAY_MS}) < ${limits.perDay}
    AND NOT EXISTS (SELECT 1 FROM outbox WHERE ${isOfInvoice} AND ${isSameKind(mail.kind)} AND created_at > ${now - limits.pauseMs})
    AND (${mail.kind} <> 'pay-link' OR coalesce((SELECT mails FROM mail_days
      WHERE account_id = ${mail.accountId} AND at = ${today}), 0) < ${limits.perAccountDay})
    AND (${mailing ?? ''} = '' OR EXISTS (SELECT 1 FROM mailing_invoices
      WHERE mailing_id = ${mailing ?? ''} AND invoice_id = ${mail.invoiceId} AND state = 'waiting'))`;
  const values = { ...row, details: JSON.stringify(details), nextTryAt: now, createdAt: now };
  const [queued, , , earlier] = await db.batch([
    db
      .insert(outbox)
      .select(selectValues(outbox, values, isAllowed))
      .onConflictDoNothing()
      .returning({ id: outbox.id }),
    eventWrite(db, event),
    db
      .update(payLinks)
      .set({ endsAt: sql`max(${payLinks.endsAt}, ${link?.endsAt ?? 0})` })
      .where(and(eq(payLinks.payId, link?.payId ?? ''), sql`EXISTS (SELECT 1 FROM outbox WHERE id = ${mail.id})`)),
    db
      .select({ at: outbox.createdAt, isSame: sql<number>`${isSameKind(mail.kind)}`.as('is_same') })
      .from(outbox)
      .where(and(isOfInvoice, gt(outbox.createdAt, now - DAY_MS)))
      .orderBy(desc(outbox.createdAt))
      .limit(limits.perDay),
  ]);
  if (queued.length === 1) return { isQueued: true };
  const lastSame = earlier.find(({ isSame }) => isSame === 1);
  if (lastSame && lastSame.at > now - limits.pauseMs)
    return { isQueued: false, reason: 'pause', until: lastSame.at + limits.pauseMs };
  if (earlier.length < limits.perDay) return { isQueued: false, reason: 'account', until: today + DAY_MS };
  return { isQueued: false, reason: 'day', until: (earlier.at(-1)?.at ?? now) + DAY_MS };
}
