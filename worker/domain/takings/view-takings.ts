import type { LookAlike, Takings } from '#shared/contracts/payments/takings';
import { decimalFromCents } from '#shared/money';
import { addDays, localDay, startOfDay } from '#shared/text/local-day';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import { type DayEntry, type DayFigures, readDay } from '#worker/data/takings/day';
import type { Deps } from '#worker/deps';
import { excludeSetAside, groupLookAlikes } from '#worker/domain/batches/transactions';

const toIsoTime = (at: number) => new Date(at).toISOString();
const sumOf = (entries: { amountCents: number }[]) => entries.reduce((sum, { amountCents }) => sum + amountCents, 0);

/**
 * The takings of one local day of an account; today without `date`. Null if the date is invalid or in the future.
 * Batches may include other days, so they are compared on the sheet, not here.
 */
export async function viewTakings(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  date?: string,
): Promise<Takings | null> {
  const timeZone = await findTimeZone(db, accountId);
  const today = localDay(now(), timeZone);
  const day = date ?? today;
  if (!isDay(day) || day > today) return null;
  const [from, next] = [startOfDay(day, timeZone), startOfDay(addDays(day, 1), timeZone)];
  const dayFigures = await readDay(db, { accountId, day, weekBefore: addDays(day, -7), from, to: next - 1 });
  const keptSales = dayFigures.booked.filter(({ isPayment, isKept }) => isPayment && isKept);
  return presentTakings(day, dayFigures, await excludeSetAside(db, groupLookAlikes(keptSales)));
}

const isDay = (text: string) => /^20\d\d-\d\d-\d\d$/.test(text) && addDays(text, 0) === text;

function presentTakings(date: string, day: DayFigures, lookAlikes: DayEntry[][]): Takings {
  const sales = day.booked.filter(({ isPayment }) => isPayment);
  const refunds = day.booked.filter(({ isPayment }) => !isPayment);
  const { paidElsewhere } = day;
  return {
    date,
    business: day.business,
    net: decimalFromCents(sumOf(day.booked)),
    sales: { count: sales.length, amount: decimalFromCents(sumOf(sales)) },
    refunds: { count: refunds.filter(({ isRefund }) => isRefund).length, amount: decimalFromCents(-sumOf(refunds)) },
    declined: day.declined,
    week_before: day.weekBeforeCents === null ? null : decimalFromCents(day.weekBeforeCents),
    methods: methodsOf(sales),
    look_alikes: lookAlikes.map(presentLookAlikes),
    unknown: day.undecided.map(({ invoiceNumber, amountCents, at, terminal, customer }) => ({
      invoice_number: invoiceNumber,
      amount: decimalFromCents(amountCents),
      at: toIsoTime(at),
      terminal,
      customer,
    })),
    paid_elsewhere:
      paidElsewhere.count === 0
        ? null
        : {
            count: paidElsewhere.count,
            amount: paidElsewhere.cents === null ? null : decimalFromCents(paidElsewhere.cents),
          },
    closed: day.closed && { at: toIsoTime(day.closed.at), by: day.closed.by },
  };
}

function methodsOf(sales: DayEntry[]): Takings['methods'] {
  const byMethod = Map.groupBy(sales, ({ method }) => method);
  return [...byMethod]
    .map(([name, payments]) => ({ name, count: payments.length, cents: sumOf(payments) }))
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))
    .map(({ name, count, cents }) => ({ name, count, amount: decimalFromCents(cents) }));
}

function presentLookAlikes(group: DayEntry[]): LookAlike {
  const [first] = group;
  return {
    card: `${first?.method ?? ''} ${first?.lastFour ?? ''}`.trim(),
    amount: decimalFromCents(first?.amountCents ?? 0),
    at: group.map(({ at }) => toIsoTime(at)),
    // Two invoices may have the same number.
    invoices: [...new Map(group.map(({ invoiceId, invoiceNumber }) => [invoiceId, invoiceNumber])).values()],
    terminal: first?.terminal ?? '',
    customer: first?.customer ?? '',
  };
}
