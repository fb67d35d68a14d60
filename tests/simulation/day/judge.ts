import { heldCents } from '../gateway/truth.ts';
import type { Day } from './day.ts';
import { quantile } from './freshness.ts';

const MINUTE = 60_000;

export type Verdict = ReturnType<typeof judge>;

/** Compares the vendors' records with the plan, with what payers were shown, and with our records. */
export function judge(day: Day) {
  const { world, bills, freshness } = day;
  const money = { charges: 0, extra: 0, lost: 0, notPaid: 0, open: 0, refundsLost: 0 };
  const meant = new Map<string, { told: string }>();
  for (const { clinic, n, told } of bills) meant.set(`${clinic.at}/${n}`, { told });
  let receipts = 0;
  for (const clinic of world.clinics) {
    const { charges, reversals } = world.gateways.modelOf(clinic.at).truth();
    const taken = charges.filter(({ state }) => state !== 'declined');
    const given = reversals.filter(({ state }) => state === 'approved');
    money.charges += taken.length;
    receipts += taken.length + given.length;
    const ofInvoice = Map.groupBy(taken, ({ invoice }) => clinic.crm.numberOfKey(invoice ?? '') ?? -1);
    for (const [n, own] of ofInvoice) {
      const isMeant = meant.has(`${clinic.at}/${n}`);
      money.extra += own.length - (isMeant ? 1 : 0);
      if (isMeant && own[0]?.amountCents !== clinic.crm.centsOf(n)) money.extra += 1;
    }
    const ledger = clinic.object.read<{ invoice: string; cents: number }>(
      'SELECT invoice_id AS invoice, sum(amount_cents) AS cents FROM ledger GROUP BY invoice_id',
    );
    const booked = new Map(ledger.map(({ invoice, cents }) => [invoice, cents]));
    for (const [n, own] of ofInvoice) {
      const held = own.reduce((sum, charge) => sum + heldCents(charge), 0);
      const id = clinic.crm.idOf('invoices', n);
      if (booked.get(id) !== held) money.lost += 1;
      booked.delete(id);
    }
    // The remaining entries exist only in our books.
    money.lost += booked.size;
    for (const { told, n } of bills.filter((bill) => bill.clinic === clinic)) {
      const isPaid = ofInvoice.has(n);
      if (isPaid) continue;
      money.notPaid += 1;
      if (['approved', 'paid', 'already-paid'].includes(told)) money.lost += 1;
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
      ...minutesOf('looked', freshness.looked),
      ...minutesOf('others', freshness.others),
      ...minutesOf('wellAtTheEdit', freshness.wellAtTheEdit),
    },
    nights: day.nights,
  };
}

/** Mails that the service sent after its idempotency check; equal text to the same recipient counts as a repeat. */
function mailsOf({ world }: Day, expected: number) {
  const sent = world.mail.truth().filter(({ to }) => to.some((address) => address.startsWith('payer-')));
  const words = Map.groupBy(sent, ({ to, subject, text }) => JSON.stringify([to, subject, text]));
  const twice = [...words.values()].reduce((sum, same) => sum + same.length - 1, 0);
  return { sent: sent.length, twice, missing: Math.max(0, expected - (sent.length - twice)) };
}

/** In minutes. */
function minutesOf<Name extends string>(name: Name, sorted: number[]) {
  const of = (share: number) => quantile(sorted, share) / MINUTE;
  return { [name]: { count: sorted.length, p50: of(0.5), p99: of(0.99), most: of(1) } } as Record<
    Name,
    { count: number; p50: number; p99: number; most: number }
  >;
}
