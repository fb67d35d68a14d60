import { heldCents } from '../gateway/truth.ts';
import type { Day } from './day.ts';
import { quantile } from './freshness.ts';

const MINUTE = 60_000;

export type Verdict = ReturnType<typeof judge>;

/** Compares the vendors' records with the plan, with the results shown to payers, and with the product's records. */
export function judge(day: Day) {
  const { world, bills, freshness } = day;
  const money = { charges: 0, extra: 0, lost: 0, notPaid: 0, open: 0, refundsLost: 0 };
  const billsByKey = new Map<string, { lastOutcome: string }>();
  for (const { clinic, n, lastOutcome } of bills) billsByKey.set(`${clinic.at}/${n}`, { lastOutcome });
  let receipts = 0;
  for (const clinic of world.clinics) {
    const { charges, reversals } = world.gateways.modelOf(clinic.at).truth();
    const takenCharges = charges.filter(({ state }) => state !== 'declined');
    const doneReversals = reversals.filter(({ state }) => state === 'approved');
    money.charges += takenCharges.length;
    receipts += takenCharges.length + doneReversals.length;
    const ofInvoice = Map.groupBy(takenCharges, ({ invoice }) => clinic.crm.numberOfKey(invoice ?? '') ?? -1);
    for (const [n, invoiceCharges] of ofInvoice) {
      const isBilled = billsByKey.has(`${clinic.at}/${n}`);
      money.extra += invoiceCharges.length - (isBilled ? 1 : 0);
      if (isBilled && invoiceCharges[0]?.amountCents !== clinic.crm.centsOf(n)) money.extra += 1;
    }
    const ledger = clinic.object.read<{ invoice: string; cents: number }>(
      'SELECT invoice_id AS invoice, sum(amount_cents) AS cents FROM ledger GROUP BY invoice_id',
    );
    const bookedCents = new Map(ledger.map(({ invoice, cents }) => [invoice, cents]));
    for (const [n, invoiceCharges] of ofInvoice) {
      const gatewayCents = invoiceCharges.reduce((sum, charge) => sum + heldCents(charge), 0);
      const id = clinic.crm.idOf('invoices', n);
      if (bookedCents.get(id) !== gatewayCents) money.lost += 1;
      bookedCents.delete(id);
    }
    // The remaining entries exist only in the product's books.
    money.lost += bookedCents.size;
    for (const { lastOutcome, n } of bills.filter((bill) => bill.clinic === clinic)) {
      const isPaid = ofInvoice.has(n);
      if (isPaid) continue;
      money.notPaid += 1;
      if (['approved', 'paid', 'already-paid'].includes(lastOutcome)) money.lost += 1;
    }
    const [row] = clinic.object.read<{ open: number }>(`SELECT
      (SELECT count(*) FROM payment_attempts WHERE state IN ('sent', 'unknown', 'needs_human'))
      + (SELECT count(*) FROM reversals WHERE state IN ('sent', 'unknown', 'needs_human'))
      AS open`);
    money.open += row?.open ?? 0;
  }
  return {
    money,
    mails: mailsOf(day, receipts),
    freshness: {
      ...minutesOf('idle', freshness.idle),
      ...minutesOf('viewed', freshness.viewed),
      ...minutesOf('afterTrouble', freshness.afterTrouble),
      ...minutesOf('healthyAtEdit', freshness.healthyAtEdit),
    },
    nights: day.nights,
  };
}

/** Mails that the service sent after its idempotency check; equal text to the same recipient counts as a repeat. */
function mailsOf({ world }: Day, expected: number) {
  const receipts = world.mail.truth().filter(({ to }) => to.some((address) => address.startsWith('payer-')));
  const byContent = Map.groupBy(receipts, ({ to, subject, text }) => JSON.stringify([to, subject, text]));
  const twice = [...byContent.values()].reduce((sum, copies) => sum + copies.length - 1, 0);
  return { sent: receipts.length, twice, missing: Math.max(0, expected - (receipts.length - twice)) };
}

/** Count and quantiles of ages in minutes. */
function minutesOf<Name extends string>(name: Name, sorted: number[]) {
  const at = (share: number) => quantile(sorted, share) / MINUTE;
  return { [name]: { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) } } as Record<
    Name,
    { count: number; p50: number; p99: number; max: number }
  >;
}
