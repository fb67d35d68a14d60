import { addDetails, listMismatches } from '#worker/data/reconciliation/gateway-transactions';
import { listUndecidedReversals } from '#worker/data/reconciliation/resolutions';
import { listMovements, listOpenPayments, type Movement } from '#worker/data/today/today';
import type { Deps } from '#worker/deps';
import { excludeSetAside, groupLookAlikes } from '#worker/domain/batches/transactions';
import { clinicDay } from '#worker/domain/merchants/clinic-day';

/** The maximum number of rows of each kind. */
const MAX_ROWS = 200;

export type ToCheck = Awaited<ReturnType<typeof listToCheck>>;

/**
 * All payments and refunds that staff have to check: those with an unknown outcome, those of today that look alike and
 * were not set aside, and those that differ from the gateway's record. Both the dashboard, which counts them, and the
 * Payments to check screen, which lists them, call this function. `movements`: today's movements, if they have already
 * been read.
 */
export async function listToCheck({ db, now }: Pick<Deps, 'db' | 'now'>, accountId: number, movements?: Movement[]) {
  const readToday = async () => listMovements(db, accountId, await clinicDay({ db, now }, accountId));
  const [openPayments, reversals, mismatches, today] = await Promise.all([
    listOpenPayments(db, accountId, MAX_ROWS),
    listUndecidedReversals(db, accountId),
    listMismatches(db, accountId, MAX_ROWS).then((rows) => addDetails(db, rows)),
    movements ?? readToday(),
  ]);
  // The verdict may date from before the response was in our ledger, so compare again.
  const differing = mismatches.filter(({ row, ourCents }) => ourCents !== row.netAmountCents);
  const payments = today.filter(({ kind, isCounted, isKept }) => kind === 'payment' && isCounted && isKept);
  const alikeGroups = groupLookAlikes(payments.map((payment) => ({ ...payment, amountCents: payment.cents })));
  const lookAlikes = await excludeSetAside(db, alikeGroups);
  const otherCents = [
    ...reversals.map(({ amountCents }) => amountCents),
    ...lookAlikes.map(([first]) => first?.cents ?? 0),
    ...differing.map(({ row }) => Math.abs(row.netAmountCents ?? row.amountCents ?? 0)),
  ];
  return {
    openPayments: openPayments.first,
    reversals,
    lookAlikes,
    differing,
    /** A group that looks alike counts once, with the amount of one payment. */
    count: openPayments.count + otherCents.length,
    cents: otherCents.reduce((sum, cents) => sum + cents, openPayments.cents),
  };
}
