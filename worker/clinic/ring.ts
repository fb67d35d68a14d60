import type { Env } from '../deps.ts';

/**
 * What a clinic's clock does when it rings: everything of this clinic that is due. `db` is the clinic's own database,
 * at hand without a trip. Answers when to ring again at the latest (UTC ms), where that is not in the database.
 */
export async function ring(_env: Env, _clinic: number, _db: D1Database): Promise<number | undefined> {
  return undefined;
}
