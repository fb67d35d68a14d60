import { localDay } from '#shared/text/local-day';
import type { InvoiceRow } from '#worker/data/invoices/invoices';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { type Acting, auditEvent } from '#worker/domain/audit/event';

type Charge = Pick<Attempt, 'channel' | 'method' | 'terminalId' | 'amountCents'> & {
  invoice: InvoiceRow;
  /** Which part of its collection it pays; a whole payment is part 1. */
  part: number;
  timeZone: string;
  /** How long the gateway's answer is waited for (ms). */
  timeoutMs: number;
  /** When a missing answer is first asked for, in ms after creation. */
  checkAfterMs: number;
};

/**
 * The gateway charges a key once. It is made of the CRM's id of the invoice, never of its number: two invoices may bear one
 * number, and a number may be changed. Parts of one amount have keys of their own, or the second would be answered the first.
 */
const dedupeKeyOf = ({ invoiceId, collection }: InvoiceRow, part: number) =>
  `${invoiceId}-${collection}${part > 1 ? `.${part}` : ''}`;

/** The columns that every new attempt begins with, on every channel. */
export function newAttempt(
  { settings, newId, newCapability, now }: Deps,
  { invoice, part, timeZone, timeoutMs, checkAfterMs, ...rest }: Charge,
) {
  const createdAt = now();
  return {
    ...rest,
    id: newId(),
    accountId: invoice.accountId,
    invoiceId: invoice.invoiceId,
    collection: invoice.collection,
    part,
    currency: invoice.currency,
    invoiceNumber: invoice.number,
    dedupeKey: dedupeKeyOf(invoice, part),
    receiptId: newCapability(),
    receiptTo: invoice.contactEmail,
    state: 'sent' as const,
    holdUntil: createdAt + Math.max(settings.HOLD_MS, 3 * timeoutMs),
    nextCheckAt: createdAt + checkAfterMs,
    createdAt,
    timeZone,
    day: localDay(createdAt, timeZone),
  };
}

type Claimed = ReturnType<typeof newAttempt>;

/** The event of an attempt that is about to be sent. */
export const claimEvent = (deps: Acting, { id, accountId, invoiceId, collection, amountCents, channel }: Claimed) =>
  auditEvent(deps, {
    accountId,
    action: 'payment.claimed',
    subject: ['payment', id],
    after: { invoice: invoiceId, collection, amountCents, channel },
  });

/** The event of a claim that is taken back, since nothing was sent. */
export const releaseEvent = (deps: Acting, { id, accountId, amountCents }: Claimed) =>
  auditEvent(deps, {
    accountId,
    action: 'payment.moved',
    subject: ['payment', id],
    before: { state: 'sent' },
    after: { state: 'rejected', amountCents },
  });
