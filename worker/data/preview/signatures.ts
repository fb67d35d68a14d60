import { and, eq } from 'drizzle-orm';
import { invoiceSignatures } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/**
 * Signature PNGs in R2. The signature of a payment is written before the charge; a row contains the key of a printed
 * invoice's signature.
 */

export const signatureKey = (accountId: number, attemptId: string) => `signatures/${accountId}/${attemptId}.png`;

/** Each image has a unique key, so that a reader never gets parts of two images. */
export const invoiceSignatureKey = (accountId: number, invoiceId: string, imageId: string) =>
  `signatures/${accountId}/invoice-${invoiceId}-${imageId}.png`;

export async function putSignature(media: R2Bucket, key: string, png: Uint8Array): Promise<void> {
  await media.put(key, png, { httpMetadata: { contentType: 'image/png' } });
}

export const getSignature = (media: R2Bucket, key: string) => media.get(key);

export const deleteSignature = (media: R2Bucket, key: string) => media.delete(key);

/** Deletes at most 1000 files. */
export const deleteSignatures = (media: R2Bucket, keys: string[]) => media.delete(keys);

/**
 * Reads the next `limit` files after `after`, and returns those uploaded before `cutoff` (UTC ms). `last`: the key from
 * which to continue; empty at the end of the prefix.
 */
export async function listOldFiles(
  media: R2Bucket,
  prefix: string,
  after: string,
  cutoff: number,
  limit: number,
): Promise<{ old: string[]; last: string }> {
  const page = await media.list({ prefix, limit, ...(after ? { startAfter: after } : {}) });
  const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < cutoff).map(({ key }) => key);
  return { old, last: page.truncated ? (page.objects.at(-1)?.key ?? '') : '' };
}

/** Set an invoice's current signature image. Returns the key of the image that it replaces. */
export async function setInvoiceSignature(
  db: Db,
  row: typeof invoiceSignatures.$inferInsert,
  event: NewEvent,
): Promise<string | undefined> {
  const { imageKey, savedAt, savedBy } = row;
  const [[old]] = await db.batch([
    db
      .select({ imageKey: invoiceSignatures.imageKey })
      .from(invoiceSignatures)
      .where(and(eq(invoiceSignatures.accountId, row.accountId), eq(invoiceSignatures.invoiceId, row.invoiceId))),
    db
      .insert(invoiceSignatures)
      .values(row)
      .onConflictDoUpdate({
        target: [invoiceSignatures.accountId, invoiceSignatures.invoiceId],
        set: { imageKey, savedAt, savedBy },
      }),
    eventWrite(db, event),
  ]);
  return old?.imageKey;
}

/** Remove an invoice's signature. Returns the key of the image, which is now unused. */
export async function removeInvoiceSignature(
  db: Db,
  accountId: number,
  invoiceId: string,
  event: NewEvent,
): Promise<string | undefined> {
  const [[old]] = await db.batch([
    db
      .delete(invoiceSignatures)
      .where(and(eq(invoiceSignatures.accountId, accountId), eq(invoiceSignatures.invoiceId, invoiceId)))
      .returning({ imageKey: invoiceSignatures.imageKey }),
    eventWrite(db, event),
  ]);
  return old?.imageKey;
}
