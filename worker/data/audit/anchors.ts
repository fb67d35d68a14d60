import type { Anchor } from '#shared/audit-chain';

/** Days are UTC, as YYYY-MM-DD; keys sort by them. */
const keyOf = (day: string) => `anchors/${day}.json`;
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const hasAnchor = async (bucket: R2Bucket, day: string): Promise<boolean> =>
  (await bucket.head(keyOf(day))) !== null;

/** Write a day's anchor. False: it stands already, and is never replaced. */
export async function putAnchor(bucket: R2Bucket, day: string, anchor: Anchor): Promise<boolean> {
  const put = await bucket.put(keyOf(day), JSON.stringify(anchor), {
    onlyIf: new Headers({ 'if-none-match': '*' }),
    httpMetadata: { contentType: 'application/json' },
  });
  return put !== null;
}

/** The newest anchor from `now` (UTC ms) back over `days`; null: there is none. */
export async function readNewestAnchor(bucket: R2Bucket, now: number, days: number): Promise<Anchor | null> {
  for (let back = 0; back < days; back++) {
    const stored = await bucket.get(keyOf(dayOf(now - back * 86_400_000)));
    if (stored) return stored.json<Anchor>();
  }
  return null;
}

/** The anchors of the last days that were written, newest first. */
export async function listAnchors(bucket: R2Bucket, now: number, days: number): Promise<Anchor[]> {
  const keys = Array.from({ length: days }, (_, back) => keyOf(dayOf(now - back * 86_400_000)));
  const stored = await Promise.all(keys.map(async (key) => (await bucket.get(key))?.json<Anchor>()));
  return stored.filter((anchor) => anchor !== undefined);
}
