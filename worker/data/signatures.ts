/** Signatures in R2: `signatures/{hub}/{attempt}.png`, written before the charge, kept with the payment. */

export const signatureKey = (hubId: number, attemptId: string) => `signatures/${hubId}/${attemptId}.png`;

export async function putSignature(media: R2Bucket, key: string, png: Uint8Array): Promise<void> {
  await media.put(key, png, { httpMetadata: { contentType: 'image/png' } });
}

export const getSignature = (media: R2Bucket, key: string) => media.get(key);

export const deleteSignature = (media: R2Bucket, key: string) => media.delete(key);
