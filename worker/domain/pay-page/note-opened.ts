import { OpenedBody } from '#shared/contracts/opened-request';
import { noteOpening } from '#worker/data/pay-links/openings';
import type { Deps } from '#worker/deps';

/** Note that somebody looks at a pay page; `staff`: whose session their browser has, if any. */
export async function noteOpened(
  { db, now }: Deps,
  payId: string,
  body: unknown,
  staff: { accountId: number } | null,
): Promise<'noted' | 'invalid'> {
  const { data } = OpenedBody.safeParse(body);
  if (!data) return 'invalid';
  await noteOpening(db, { payId, loadId: data.load, except: staff?.accountId ?? null }, now());
  return 'noted';
}
