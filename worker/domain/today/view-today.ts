import type { Today, TodayMovement, TodayNeed } from '#shared/contracts/payments/today';
import { decimalFromCents } from '#shared/money';
import { cardName } from '#shared/text/card-name';
import { addDays, addLocalDays, daysBetween, localDay } from '#shared/text/local-day';
import { findFirstDay, findTimeZone, listDailyTotals } from '#worker/data/analytics/daily-totals';
import { listFrozenCollections } from '#worker/data/installments/frozen';
import { listApprovals } from '#worker/data/refunds/approvals';
import {
  findBouncedLinks,
  listMovements,
  listReturnedPayments,
  listUnreadableInvoices,
  type Movement,
  type Payment,
  sumOwedInvoices,
  sumTaken,
} from '#worker/data/today/today';
import type { Deps } from '#worker/deps';
import { DEBIT_WATCH_MS } from '#worker/domain/payments/resolve-automatically';
import { listToCheck, type ToCheck } from '#worker/domain/reconciliation/payments-to-check';
import { APPROVAL_WAIT_MS } from '#worker/domain/refunds/second-person';

const iso = (at: number) => new Date(at).toISOString();
/** Decimal text, or null if the amount cannot be read. */
const amountOf = (cents: number | null) => (cents === null ? null : decimalFromCents(cents));
const noDetails = { invoice: null, customer: '', card: '', terminal: null };

/**
 * The items that need a person. A refund that waits for a second person, a bank payment that was returned, an invoice
 * in installments whose amount was changed, and an invoice whose amount cannot be read are listed but not counted,
 * since they leave no doubt about the money that moved.
 */
async function listNeeds(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  { openPayments: open, reversals, lookAlikes, differing }: ToCheck,
  limit: number,
): Promise<TodayNeed[]> {
  const from = now() - RETURNED_MS;
  const [approvals, frozen, unreadable, returned] = await Promise.all([
    listApprovals(db, accountId, { from: now() - APPROVAL_WAIT_MS }),
    listFrozenCollections(db, accountId),
    listUnreadableInvoices(db, accountId, limit),
    // A return after this time is entered by a person, who already knows about it.
    listReturnedPayments(db, accountId, { from, madeFrom: from - DEBIT_WATCH_MS - DAY_MS, limit: limit }),
  ]);
  const waitingApprovals = approvals.filter(({ state, endsAt }) => state === 'waiting' && endsAt > now()).reverse();
  return [
    ...open.slice(0, limit).map((payment) => ({
      kind: payment.needsPerson ? ('undecided' as const) : ('unknown' as const),
      ...paymentDetailsOf(payment),
      amount: decimalFromCents(payment.cents),
      at: [iso(payment.at)],
    })),
    ...reversals.slice(0, limit).map((row) => ({
      kind: 'reversal' as const,
      ...noDetails,
      amount: decimalFromCents(row.amountCents),
      invoice: { id: row.invoiceId, number: row.invoiceNumber },
      customer: `${row.firstName ?? ''} ${row.lastName ?? ''}`.trim() || (row.companyName ?? ''),
      at: [iso(row.createdAt)],
    })),
    ...lookAlikes.slice(0, limit).flatMap((group) =>
      group.slice(0, 1).map((first) => ({
        kind: 'alike' as const,
        ...paymentDetailsOf(first),
        amount: decimalFromCents(first.cents),
        at: group.map(({ at }) => iso(at)),
      })),
    ),
    ...differing
      .toReversed()
      .slice(0, limit)
      .map(({ row, invoice }) => ({
        kind: invoice === null ? ('no-invoice' as const) : ('differs' as const),
        ...noDetails,
        amount: amountOf(row.netAmountCents ?? row.amountCents),
        invoice: invoice && { id: invoice.id, number: invoice.number },
        customer: invoice?.customer || row.payer,
        card: row.card,
        at: row.at === null ? [] : [iso(row.at)],
      })),
    ...returned.map((payment) => ({
      kind: 'returned' as const,
      ...paymentDetailsOf(payment),
      amount: decimalFromCents(payment.cents),
      at: [iso(payment.at)],
    })),
    ...frozen.slice(0, limit).map((row) => ({
      kind: 'frozen' as const,
      ...noDetails,
      amount: amountOf(row.remainingCents),
      invoice: { id: row.invoiceId, number: row.invoiceNumber },
      customer: `${row.firstName} ${row.lastName}`.trim() || row.companyName,
      at: row.frozenAt === null ? [] : [iso(row.frozenAt)],
    })),
    ...unreadable.map(({ id, number, customer, modifiedAt }) => ({
      kind: 'unreadable' as const,
      ...noDetails,
      amount: null,
      invoice: { id, number },
      customer,
      at: modifiedAt > 0 ? [iso(modifiedAt)] : [],
    })),
    ...waitingApprovals.slice(0, limit).map((row) => ({
      kind: 'approval' as const,
      ...noDetails,
      amount: decimalFromCents(row.amountCents),
      invoice: { id: row.invoiceId, number: row.invoiceNumber },
      customer: row.payer,
      at: [iso(row.requestedAt)],
    })),
  ];
}

const paymentDetailsOf = (payment: Payment) => ({
  invoice: { id: payment.invoiceId, number: payment.invoiceNumber },
  customer: payment.customer,
  card: cardName(payment),
  terminal: payment.terminal,
});

/** The time for which a returned bank payment is listed (ms), unless its invoice is paid earlier. */
const RETURNED_MS = 14 * 86_400_000;

const SHOWN_DAYS = 14;
const WEEK_DAYS = 7;
/** The number of rows shown, of the newest movements and of the oldest items of each kind. */
const MAX_SHOWN = 5;
const DAY_MS = 86_400_000;

const sum = (cents: number[]) => cents.reduce((total, amount) => total + amount, 0);

/** The current day in the clinic's time zone: money taken, money owed, and the items that need a person. */
export async function viewToday(deps: Pick<Deps, 'db' | 'now'>, accountId: number): Promise<Today> {
  const { db } = deps;
  const now = deps.now();
  const zone = await findTimeZone(db, accountId);
  const day = localDay(now, zone);
  const [firstShown, lastWeek] = [addDays(day, 1 - SHOWN_DAYS), addDays(day, -WEEK_DAYS)];
  const movements = await listMovements(db, accountId, day);
  const [toCheck, takenLastWeek, firstDay, totals, owed, bounced] = await Promise.all([
    listToCheck(deps, accountId, movements),
    sumTaken(db, accountId, lastWeek, addLocalDays(now, -WEEK_DAYS, zone)),
    findFirstDay(db, accountId),
    listDailyTotals(db, accountId, firstShown, day),
    sumOwedInvoices(db, accountId, day),
    findBouncedLinks(db, accountId),
  ]);
  const countedMovements = movements.filter(({ isCounted }) => isCounted);
  const payments = countedMovements.filter(({ kind }) => kind === 'payment');
  const reversals = countedMovements.filter(({ kind }) => kind !== 'payment');
  const takenCents = sum(countedMovements.map(({ cents }) => cents));
  const needs = await listNeeds(deps, accountId, toCheck, MAX_SHOWN);
  const netCentsByDay = new Map(totals.map((total) => [total.day, total.netCents]));
  const { overdue } = owed;
  return {
    at: new Date(now).toISOString(),
    day,
    taken: decimalFromCents(takenCents),
    payments: payments.length,
    refunds: {
      count: reversals.filter(({ isRefund }) => isRefund).length,
      amount: decimalFromCents(-sum(reversals.map(({ cents }) => cents))),
    },
    before: firstDay !== null && firstDay <= lastWeek ? decimalFromCents(takenLastWeek) : null,
    days: daysBetween(firstShown, day).map((shownDay) => ({
      day: shownDay,
      // Today's bar equals the figure beside it, as of the same moment.
      amount: decimalFromCents(shownDay === day ? takenCents : (netCentsByDay.get(shownDay) ?? 0)),
    })),
    owed: { count: owed.count, amount: decimalFromCents(owed.cents) },
    overdue: {
      count: overdue.count,
      amount: decimalFromCents(overdue.cents),
      oldest_days: overdue.since === null ? null : (Date.parse(day) - Date.parse(overdue.since)) / DAY_MS,
    },
    to_check: { count: toCheck.count, amount: decimalFromCents(toCheck.cents) },
    needs: needs satisfies TodayNeed[],
    ...(bounced && { came_back: bounced }),
    latest: movements.slice(0, MAX_SHOWN).map(presentMovement),
  };
}

const presentMovement = (movement: Movement): TodayMovement => ({
  id: movement.id,
  kind: movement.kind,
  amount: decimalFromCents(movement.cents),
  invoice: { id: movement.invoiceId, number: movement.invoiceNumber },
  customer: movement.customer,
  payer: movement.payer,
  card: cardName(movement),
  terminal: movement.terminal?.name ?? null,
  at: new Date(movement.at).toISOString(),
});
