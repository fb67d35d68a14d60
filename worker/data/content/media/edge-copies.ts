/**
 * Copies of uploaded files in the cache of the place where a visitor is served, so that the bucket is asked once for many
 * of them. They stand under our own address without a query, or anybody could fill the cache with copies of one file.
 */
const addressOf = (appUrl: string, key: string) => new URL(`/media/${key}`, appUrl).href;

export const findCopy = (appUrl: string, key: string): Promise<Response | undefined> =>
  caches.default.match(addressOf(appUrl, key));

export const keepCopy = (appUrl: string, key: string, answer: Response): Promise<void> =>
  caches.default.put(addressOf(appUrl, key), answer);

/** Those of this place alone: any other lets go of its own by the time that `s-maxage` says. */
export async function dropCopies(appUrl: string, keys: string[]): Promise<void> {
  await Promise.all(keys.map((key) => caches.default.delete(addressOf(appUrl, key))));
}
