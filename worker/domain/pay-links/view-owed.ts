import type { Owed } from '#shared/contracts/owed';
import { decimalFromCents } from '#shared/money';
import { addDays, localDay } from '#shared/text/local-day';
import { findTimeZone, listDailyTotals } from '#worker/data/analytics/daily-totals';
import { type Sum, sumOwed } from '#worker/data/pay-links/owed';
import type { Deps } from '#worker/deps';

const MONTH = 30;
const said = ({ count, cents }: Sum) => ({ count, amount: decimalFromCents(cents) });

/** What is overdue and for how long, what is due, what was paid, and how many customers owe. */
export async function viewOwed({ db, now }: Pick<Deps, 'db' | 'now'>, accountId: number): Promise<Owed> {
  const day = localDay(now(), await findTimeZone(db, accountId));
  const [month, twoMonths] = [addDays(day, -MONTH), addDays(day, -2 * MONTH)];
  const [{ due, ages, paid, all, customers }, totals] = await Promise.all([
    sumOwed(db, accountId, [day, month, twoMonths]),
    listDailyTotals(db, accountId, addDays(day, 1 - MONTH), day),
  ]);
  const sum = (of: Sum[]): Sum => ({
    count: of.reduce((all, { count }) => all + count, 0),
    cents: of.reduce((all, { cents }) => all + cents, 0),
  });
  return {
    day,
    overdue: {
      ...said(sum(ages)),
      ages: [
        { ...said(ages[0]), days: '1-30', from: month, to: addDays(day, -1) },
        { ...said(ages[1]), days: '31-60', from: twoMonths, to: addDays(month, -1) },
        { ...said(ages[2]), days: '61+', from: null, to: addDays(twoMonths, -1) },
      ],
    },
    due: said(due),
    paid: { count: paid, amount: decimalFromCents(totals.reduce((sum, { netCents }) => sum + netCents, 0)) },
    all,
    customers,
  };
}
