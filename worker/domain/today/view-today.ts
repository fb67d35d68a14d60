import type { Today, TodayMovement, TodayNeed } from '#shared/contracts/today';
import { decimalFromCents } from '#shared/money';
import { addDays, daysBetween, localDay, sameClock } from '#shared/text/local-day';
import { findFirstDay, findTimeZone, listDailyTotals } from '#worker/data/analytics/daily-totals';
import {
  findCameBack,
  findOwed,
  listMovements,
  listOpenPayments,
  type Movement,
  sumTaken,
} from '#worker/data/today/today';
import type { Deps } from '#worker/deps';
import { cardName, viewNeeds } from './needs.ts';

const DAYS = 14;
const WEEK = 7;
/** Rows that are shown: the newest movements, and of each kind of need the oldest. */
const SHOWN = 5;
const DAY_MS = 86_400_000;

const sum = (cents: number[]) => cents.reduce((total, one) => total + one, 0);

/** How the day stands by the clinic's own clock: what was taken, what is owed, what needs a person. */
export async function viewToday(deps: Pick<Deps, 'db' | 'now'>, accountId: number): Promise<Today> {
  const { db } = deps;
  const now = deps.now();
  const zone = await findTimeZone(db, accountId);
  const day = localDay(now, zone);
  const [firstShown, lastWeek] = [addDays(day, 1 - DAYS), addDays(day, -WEEK)];
  const [movements, takenBefore, firstDay, totals, owed, open, cameBack] = await Promise.all([
    listMovements(db, accountId, day),
    sumTaken(db, accountId, lastWeek, sameClock(now, -WEEK, zone)),
    findFirstDay(db, accountId),
    listDailyTotals(db, accountId, firstShown, day),
    findOwed(db, accountId, day),
    listOpenPayments(db, accountId, SHOWN),
    findCameBack(db, accountId),
  ]);
  const counted = movements.filter(({ isCounted }) => isCounted);
  const payments = counted.filter(({ kind }) => kind === 'payment');
  const back = counted.filter(({ kind }) => kind !== 'payment');
  const taken = sum(counted.map(({ cents }) => cents));
  const { needs, ...toCheck } = await viewNeeds(deps, accountId, { payments, open, shown: SHOWN });
  const byDay = new Map(totals.map((total) => [total.day, total.netCents]));
  const { overdue } = owed;
  return {
    at: new Date(now).toISOString(),
    day,
    taken: decimalFromCents(taken),
    payments: payments.length,
    refunds: {
      count: back.filter(({ isRefund }) => isRefund).length,
      amount: decimalFromCents(-sum(back.map(({ cents }) => cents))),
    },
    before: firstDay !== null && firstDay <= lastWeek ? decimalFromCents(takenBefore) : null,
    days: daysBetween(firstShown, day).map((one) => ({
      day: one,
      // Today's bar is the figure beside it, of the same moment.
      amount: decimalFromCents(one === day ? taken : (byDay.get(one) ?? 0)),
    })),
    owed: { count: owed.count, amount: decimalFromCents(owed.cents) },
    overdue: {
      count: overdue.count,
      amount: decimalFromCents(overdue.cents),
      oldest_days: overdue.since === null ? null : (Date.parse(day) - Date.parse(overdue.since)) / DAY_MS,
    },
    to_check: { count: toCheck.count, amount: decimalFromCents(toCheck.cents) },
    needs: needs satisfies TodayNeed[],
    ...(cameBack && { came_back: cameBack }),
    latest: movements.slice(0, SHOWN).map(presentMovement),
  };
}

const presentMovement = (movement: Movement): TodayMovement => ({
  id: movement.id,
  kind: movement.kind,
  amount: decimalFromCents(movement.cents),
  invoice: { id: movement.invoiceId, number: movement.invoiceNumber },
  customer: movement.customer,
  card: cardName(movement),
  terminal: movement.terminal?.name ?? null,
  at: new Date(movement.at).toISOString(),
});
