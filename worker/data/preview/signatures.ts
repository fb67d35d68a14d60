import { and, eq } from 'drizzle-orm';
import { invoiceSignatures } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** Signature PNGs in R2. A payment's is written before the charge; a printed invoice's is named by a row. */

export const signatureKey = (accountId: number, attemptId: string) => `signatures/${accountId}/${attemptId}.png`;

/** Every image has a name of its own, so that a reader never gets half of one and half of the next. */
export const invoiceSignatureKey = (accountId: number, invoiceId: string, imageId: string) =>
  `signatures/${accountId}/invoice-${invoiceId}-${imageId}.png`;

export async function putSignature(media: R2Bucket, key: string, png: Uint8Array): Promise<void> {
  await media.put(key, png, { httpMetadata: { contentType: 'image/png' } });
}

export const getSignature = (media: R2Bucket, key: string) => media.get(key);

export const deleteSignature = (media: R2Bucket, key: string) => media.delete(key);

/** Name the image that counts for an invoice from now on; answers the key of the replaced one. */
export async function nameSignature(
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

/** Forget an invoice's signature; answers the key of the image that is unused now. */
export async function forgetSignature(
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
