import type { TodayNeed } from '#shared/contracts/today';
import { decimalFromCents } from '#shared/money';
import { listFrozen } from '#worker/data/parts/frozen';
import { explain, listMismatches } from '#worker/data/reconciliation/gateway-transactions';
import { listUndecidedReversals } from '#worker/data/reconciliation/resolutions';
import { listApprovals } from '#worker/data/refunds/approvals';
import type { listOpenPayments, Movement, Payment } from '#worker/data/today/today';
import { listUnreadable } from '#worker/data/today/unreadable';
import type { Deps } from '#worker/deps';
import { alike } from '#worker/domain/batches/look-alikes';
import { WAIT_MS } from '#worker/domain/refunds/second-person';

/** As many as the screen that a need leads to reads. */
const MISMATCHES = 200;

const BRANDS: Record<string, string> = { VISA: 'Visa', MASTERCARD: 'Mastercard', AMEX: 'American Express' };

/** "Visa 1111": the gateway writes brands in capitals. Empty for a bank account. */
export const cardName = ({ brand, lastFour }: Pick<Payment, 'brand' | 'lastFour'>): string =>
  lastFour && `${BRANDS[brand] ?? brand} ${lastFour}`.trim();

const iso = (at: number) => new Date(at).toISOString();
/** Decimal text; null: the amount cannot be read. */
const amountOf = (cents: number | null) => (cents === null ? null : decimalFromCents(cents));
const none = { invoice: null, customer: '', card: '', terminal: null };

type Known = { payments: Movement[]; open: Awaited<ReturnType<typeof listOpenPayments>>; shown: number };

/**
 * What needs a person, and how much money that is. A refund that waits for a second person, an invoice in parts whose
 * amount was changed, and one whose amount cannot be read are in the list alone: nothing about money that moved is in doubt.
 */
export async function viewNeeds(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  accountId: number,
  { payments, open, shown }: Known,
): Promise<{ count: number; cents: number; needs: TodayNeed[] }> {
  const [reversals, mismatches, asked, frozen, unreadable] = await Promise.all([
    listUndecidedReversals(db, accountId),
    listMismatches(db, accountId, MISMATCHES).then((rows) => explain(db, rows)),
    listApprovals(db, accountId, { from: now() - WAIT_MS }),
    listFrozen(db, accountId),
    listUnreadable(db, accountId, shown),
  ]);
  // A message may be read before the reply is in our ledger; the verdict is of that moment, so compare again.
  const differing = mismatches.filter(({ row, ourCents }) => ourCents !== row.netAmountCents).reverse();
  const kept = payments.filter(({ isKept }) => isKept);
  const lookAlikes = alike(kept.map((payment) => ({ ...payment, amountCents: payment.cents })));
  const waiting = asked.filter(({ state, endsAt }) => state === 'waiting' && endsAt > now()).reverse();
  const needs: TodayNeed[] = [
    ...open.first.map((payment) => ({
      kind: payment.needsPerson ? ('undecided' as const) : ('unknown' as const),
      ...partsOf(payment),
      amount: decimalFromCents(payment.cents),
      at: [iso(payment.at)],
    })),
    ...reversals.slice(0, shown).map((row) => ({
      kind: 'reversal' as const,
      ...none,
      amount: decimalFromCents(row.amountCents),
      invoice: { id: row.invoiceId, number: row.invoiceNumber },
      customer: `${row.firstName ?? ''} ${row.lastName ?? ''}`.trim() || (row.companyName ?? ''),
      at: [iso(row.createdAt)],
    })),
    ...lookAlikes.slice(0, shown).flatMap((group) =>
      group.slice(0, 1).map((first) => ({
        kind: 'alike' as const,
        ...partsOf(first),
        amount: decimalFromCents(first.cents),
        at: group.map(({ at }) => iso(at)),
      })),
    ),
    ...differing.slice(0, shown).map(({ row, invoice }) => ({
      kind: invoice === null ? ('no-invoice' as const) : ('differs' as const),
      ...none,
      amount: amountOf(row.netAmountCents ?? row.amountCents),
      invoice: invoice && { id: invoice.id, number: invoice.number },
      customer: invoice?.customer || row.payer,
      card: row.card,
      at: row.at === null ? [] : [iso(row.at)],
    })),
    ...frozen.slice(0, shown).map((row) => ({
      kind: 'frozen' as const,
      ...none,
      amount: amountOf(row.leftCents),
      invoice: { id: row.invoiceId, number: row.invoiceNumber },
      customer: `${row.firstName} ${row.lastName}`.trim() || row.companyName,
      at: row.frozenAt === null ? [] : [iso(row.frozenAt)],
    })),
    ...unreadable.map(({ id, number, customer, modifiedAt }) => ({
      kind: 'unreadable' as const,
      ...none,
      amount: null,
      invoice: { id, number },
      customer,
      at: modifiedAt > 0 ? [iso(modifiedAt)] : [],
    })),
    ...waiting.slice(0, shown).map((row) => ({
      kind: 'approval' as const,
      ...none,
      amount: decimalFromCents(row.amountCents),
      invoice: { id: row.invoiceId, number: row.invoiceNumber },
      customer: row.payer,
      at: [iso(row.requestedAt)],
    })),
  ];
  const inDoubt = [
    ...reversals.map(({ amountCents }) => amountCents),
    ...lookAlikes.map(([first]) => first?.cents ?? 0),
    ...differing.map(({ row }) => Math.abs(row.netAmountCents ?? row.amountCents ?? 0)),
  ];
  return {
    count: open.count + inDoubt.length,
    cents: inDoubt.reduce((sum, cents) => sum + cents, open.cents),
    needs,
  };
}

const partsOf = (payment: Payment) => ({
  invoice: { id: payment.invoiceId, number: payment.invoiceNumber },
  customer: payment.customer,
  card: cardName(payment),
  terminal: payment.terminal,
});
