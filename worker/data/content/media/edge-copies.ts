/**
 * Copies of uploaded files in the cache of the place where a visitor is served, so that the bucket is asked once for many
 * of them. They stand under our own address without a query, or anybody could fill the cache with copies of one file.
 */
const addressOf = (appUrl: string, key: string) => new URL(`media/${key}`, appUrl).href;

const copies = () => caches.open('media');

export const findCopy = async (appUrl: string, key: string): Promise<Response | undefined> =>
  (await copies()).match(addressOf(appUrl, key));

export const keepCopy = async (appUrl: string, key: string, answer: Response): Promise<void> =>
  (await copies()).put(addressOf(appUrl, key), answer);

/** Those of this place alone: any other lets go of its own by the time that `s-maxage` says. */
export async function dropCopies(appUrl: string, keys: string[]): Promise<void> {
  const cache = await copies();
  await Promise.all(keys.map((key) => cache.delete(addressOf(appUrl, key))));
}
