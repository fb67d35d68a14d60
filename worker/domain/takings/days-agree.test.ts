import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { type ListRequest, readListRequest } from '#shared/contracts/lists/list-request';
import { paymentRules } from '#shared/contracts/payments/payment-list';
import { addDays, daysBetween, localDay } from '#shared/text/local-day';
import { type Movement, makeDays } from '#tests/support/unit/days-of-money';
import { measureClinics } from '#worker/data/alerts/measure';
import { listDailyTotals } from '#worker/data/analytics/daily-totals';
import { viewAnalytics } from '#worker/domain/analytics/view-analytics';
import { batchCsv, viewBatch } from '#worker/domain/batches/view-batches';
import { viewCustomer } from '#worker/domain/lists/view-customer';
import { viewToday } from '#worker/domain/today/view-today';
import { exportPayments, listPayments } from './list-payments.ts';
import { viewTakings } from './view-takings.ts';

type Days = Awaited<ReturnType<typeof makeDays>>;

const sumOf = (entries: Movement[]) => entries.reduce((sum, { cents }) => sum + cents, 0);
const centsOf = (decimal: string | number | undefined) => Math.round(Number(decimal) * 100);

const paymentsOf = (from: string, to: string) =>
  readListRequest(paymentRules, new URLSearchParams({ day: `${from}..${to}` })) as ListRequest;

/** The list of payments of one day: its totals, and the totals of its rows. */
async function listOf({ deps, accountId }: Days, day: string) {
  const list = await listPayments(deps, accountId, paymentsOf(day, day));
  const rows = list?.reply.payments ?? [];
  return {
    list: centsOf(list?.reply.totals.net),
    listBack: 0 - centsOf(list?.reply.totals.refunds.amount),
    listRows: rows.reduce((sum, { counted }) => sum + centsOf(counted), 0),
  };
}

/** Cents that each screen reports per day (`reported`), and those that really moved (`actual`). */
async function dailyFiguresOf(days: Days) {
  const { deps, accountId, clock, db, startedAt } = days;
  const today = localDay(clock.now, days.zone());
  const [first, last] = [addDays(localDay(startedAt, 'UTC'), -2), addDays(today, 1)];
  const [totals, dashboard, analytics] = await Promise.all([
    listDailyTotals(db, accountId, first, last),
    viewToday(deps, accountId),
    viewAnalytics(deps, accountId, 'month'),
  ]);
  const reported: Record<string, Record<string, number>> = {};
  const actual: Record<string, Record<string, number>> = {};
  for (const day of daysBetween(first, last)) {
    const entries = days.countedMovements().filter((entry) => entry.day === day);
    const net = sumOf(entries);
    const refundCents = 0 - sumOf(entries.filter(({ cents }) => cents < 0));
    const storedTotal = totals.find((total) => total.day === day);
    reported[day] = { kept: storedTotal?.netCents ?? 0, keptBack: storedTotal?.refundCents ?? 0 };
    actual[day] = { kept: net, keptBack: refundCents };
    const isQuiet = entries.length === 0 && storedTotal === undefined && day !== today;
    if (day > today || isQuiet) continue;
    const sheet = await viewTakings(deps, accountId, day);
    Object.assign(reported[day], {
      sheet: centsOf(sheet?.net),
      sheetBack: centsOf(sheet?.refunds.amount),
      ...(await listOf(days, day)),
      analytics: centsOf(analytics.dailyPayments.find(({ date }) => date === day)?.amount),
      ...(day === today && { today: centsOf(dashboard.taken), todayBack: centsOf(dashboard.refunds.amount) }),
    });
    Object.assign(actual[day], {
      sheet: net,
      sheetBack: refundCents,
      list: net,
      listBack: refundCents,
      listRows: net,
      analytics: net,
      ...(day === today && { today: net, todayBack: refundCents }),
    });
  }
  return { reported, actual };
}

/** Totals (cents) of a customer's page, a batch file, the file of all payments and the ledger. */
async function sumsOf(days: Days) {
  await days.openSession();
  const { db, deps, merchant, terminalId, session, accountId } = days;
  const view = await viewCustomer(deps, session, 'c1');
  const batch = await viewBatch(deps, merchant, terminalId, '7');
  if (view.kind !== 'customer' || batch.kind !== 'transactions') throw new Error(`${view.kind}, ${batch.kind}`);
  const [ledger] = await db.all<{ cents: number }>(
    sql`SELECT coalesce(sum(amount_cents), 0) AS cents FROM counted_entries WHERE account_id = ${accountId}`,
  );
  const lines = batchCsv(batch, 'UTC').trimEnd().split(/\r?\n/).slice(1);
  const file = lines.reduce((sum, line) => sum + centsOf(line.replaceAll('"', '').split(',').at(-1)), 0);
  const first = addDays(localDay(days.startedAt, 'UTC'), -2);
  const paymentsFile = await exportPayments(deps, accountId, paymentsOf(first, addDays(first, 300)));
  const [header = '', ...rows] = (await Array.fromAsync(paymentsFile?.pieces ?? [])).join('').trimEnd().split(/\r?\n/);
  const column = header.split(',').indexOf('"Amount"');
  const all = rows.reduce((sum, row) => sum + centsOf(row.slice(1, -1).split('","')[column]), 0);
  return { paid: centsOf(view.customer.paid.amount), file, all, ledger: ledger?.cents };
}

it.each(Array.from({ length: 6 }, (_, index) => index + 1))(
  'every screen shows the money that moved on each day, whatever happens later (seed %i)',
  async (seed) => {
    const days = await makeDays(seed);
    for (let n = 0; n < 12; n++) {
      days.wait(n % 3 === 0 ? 20 : 3);
      await days.actRandomly();
    }
    const { reported, actual } = await dailyFiguresOf(days);
    expect(reported).toEqual(actual);
    const { problems: standing } = await measureClinics(days.db, days.clock.now, true);
    expect(standing.filter(({ event, account }) => event.endsWith('-differ') && account === days.accountId)).toEqual(
      [],
    );
    const all = sumOf(days.countedMovements());
    expect(await sumsOf(days)).toEqual({ paid: all, ledger: all, all, file: days.batchTotalCents() });
  },
);
