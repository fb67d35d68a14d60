import { type Day, localDay } from '#shared/text/local-day';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import type { Deps } from '#worker/deps';

/** Today in the account's time zone. */
export const clinicDay = async ({ db, now }: Pick<Deps, 'db' | 'now'>, accountId: number): Promise<Day> =>
  localDay(now(), await findTimeZone(db, accountId));
