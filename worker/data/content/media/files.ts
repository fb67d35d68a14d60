/** Uploaded files in R2: `media/{name}`, written once and never changed, so that caches may keep them. */

const path = (key: string) => `media/${key}`;

export async function putFile(
  bucket: R2Bucket,
  key: string,
  parts: Uint8Array<ArrayBuffer>[],
  contentType: string,
  name: string,
): Promise<void> {
  await bucket.put(path(key), new Blob(parts), {
    httpMetadata: { contentType },
    customMetadata: { name: encodeURIComponent(name) },
  });
}

export const headFile = (bucket: R2Bucket, key: string): Promise<R2Object | null> => bucket.head(path(key));

export const getFile = (bucket: R2Bucket, key: string, range?: { offset: number; length: number }) =>
  bucket.get(path(key), range ? { range } : {});

export const deleteFiles = (bucket: R2Bucket, keys: string[]): Promise<void> => bucket.delete(keys.map(path));
