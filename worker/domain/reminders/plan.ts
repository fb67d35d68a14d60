import { addDays, localDay } from '#shared/text/local-day';
import { isWorkingDay, lastSendingDay, nextSendingTime, sendingTime, workingDayFrom } from '#shared/text/working-hours';
import { listDuePlans, type Plan, type Portion, planDay } from '#worker/data/reminders/plans';
import type { Deps } from '#worker/deps';
import { LATEST_MS, latelyOf } from '#worker/domain/mail/remind';

/** Days of which one is too long ago are written as skipped up to here; what is older was never owed. */
const MOST_DAYS = 60;

/**
 * What of each step belongs to the days after `doneDay` up to `day`: one portion that is owed, and one that is too late,
 * because the clock stood still. A day without work belongs to the next one with work.
 */
export function portionsOf(steps: number[], doneDay: string, day: string, now: number, timeZone: string): Portion[] {
  const oldest = addDays(day, -MOST_DAYS);
  const first = [addDays(doneDay, 1), oldest].sort().at(-1) ?? oldest;
  let from = first;
  while (from < day && sendingTime(workingDayFrom(from), timeZone) < now - LATEST_MS) from = addDays(from, 1);
  // The later step goes before the earlier: one of them is sent.
  return [...steps]
    .sort((a, b) => b - a)
    .flatMap((step) => {
      const of = (a: string, b: string, isLate: boolean): Portion => ({
        ...{ step, isLate, from: addDays(a, -step), to: addDays(b, -step) },
      });
      const late = from > first ? [of(first, addDays(from, -1), true)] : [];
      return [...late, of(from, day, false)];
    });
}

/** Owe what the plans of the day bring. */
export async function planReminders(deps: Deps): Promise<void> {
  const { db, now } = deps;
  for (const plan of await listDuePlans(db, now())) await planOne(deps, plan);
}

async function planOne({ db, now }: Deps, plan: Plan): Promise<void> {
  const at = now();
  const { steps, doneDay, timeZone } = plan;
  const day = lastSendingDay(at, timeZone);
  const isNew = day > doneDay;
  const portions = isNew ? portionsOf(steps, doneDay, day, at, timeZone) : [];
  const [owed] = portions.filter(({ isLate }) => !isLate);
  // What came due on days without work was never late.
  const first = owed ? workingDayFrom(addDays(owed.from, owed.step)) : day;
  await planDay(db, plan, portions, {
    day: isNew ? day : doneDay,
    lately: latelyOf(localDay(at, timeZone)),
    tooLate: at - LATEST_MS,
    plannedAt: sendingTime(isWorkingDay(first) ? first : day, timeZone),
    nextRunAt: nextSendingTime(at, timeZone),
  });
}
