import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { StatusSteps, type Stop } from '#site/islands/ui/feedback/StatusSteps.tsx';
import '#site/styles/areas/merchant/preview/life.css';
import { formatMoney, ONLINE_CURRENCY, parseCents } from '#shared/money';
import { formatDay, formatDayWith, formatInZone, todayLocal } from '#site/islands/ui/format-moment.ts';
import { linkBlockReason, paymentBlockReason } from '../common/online-off.ts';
import { statusBlockReason } from '../mail/pay-link-or-receipt.ts';

type Invoice = Pick<InvoicePreviewReply, 'life' | 'properties' | 'bad_address'>;
type InvoiceLife = InvoicePreviewReply['life'];
type Payment = InvoiceLife['payments'][number];

/** Returns for example "Nov 18, 9:02 AM", with the year unless it is the current one. */
export function stopTime(iso: string): string {
  const isThisYear = formatInZone(new Date(iso), { year: 'numeric' }) === todayLocal().slice(0, 4);
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  return formatInZone(new Date(iso), { month: 'short', day: 'numeric', ...year, hour: 'numeric', minute: '2-digit' });
}

const SHORT_DAY = { month: 'short', day: 'numeric' } as const;
/** Returns for example "Nov 18". */
export const shortDay = (iso: string): string =>
  iso.length === 10 ? formatDayWith(iso, SHORT_DAY) : formatInZone(new Date(iso), SHORT_DAY);

const doneStop = (name: string, at: string | undefined, detail = ''): Stop => ({
  name,
  state: 'done',
  time: at && stopTime(at),
  detail,
});
const futureStop = (name: string, detail = ''): Stop => ({ name, state: 'ahead', detail });
const describeRepeats = (times: number, last: string) => (times > 1 ? `${times} times, last ${shortDay(last)}` : '');

/** Returns the stops of an invoice's timeline: first the past ones, then the future ones. */
export function stopsOf(invoice: Invoice): Stop[] {
  const { life, properties } = invoice;
  const isPaid = life.payments.length > 0 || properties.hs_invoice_status === 'paid';
  const isOver = isPaid || ['draft', 'voided'].includes(properties.hs_invoice_status);
  const stops = [
    ...sendingStops(invoice, isOver),
    ...life.returned.flatMap((payment) => bankReturnStops(payment, properties.hs_currency)),
    ...paymentStops(invoice, isPaid),
  ];
  // If there are stops ahead, the last stop that was reached is the current one.
  const index = stops.findLastIndex(({ state }) => state === 'done');
  const lastReached = stops[index];
  return lastReached && stops.some(({ state }) => state === 'ahead') && !stops.some(({ state }) => state === 'back')
    ? stops.with(index, { ...lastReached, state: 'now' })
    : stops;
}

function sendingStops(invoice: Invoice, isOver: boolean): Stop[] {
  const { sent, reminded, mails } = invoice.life;
  const stops: Stop[] = [];
  const link = mails.find(({ kind }) => kind === 'pay-link');
  if (sent && invoice.bad_address && !isOver)
    stops.push({ name: 'Sent', state: 'failed', time: stopTime(sent.last_at), detail: 'came back' });
  else if (sent) stops.push(doneStop('Sent', sent.first_at, describeRepeats(sent.times, sent.last_at) || sent.to));
  else if (link?.state === 'failed')
    stops.push({ name: 'Not sent', state: 'failed', time: stopTime(link.at), detail: 'the mail did not go out' });
  else if (!isOver && !reminded) stops.push(futureStop('Sent'));
  return [...stops, ...openingStops(invoice.life, isOver)];
}

/** Returns the stops "Opened" and "Reminded". A reminder comes before the stops that are still ahead. */
function openingStops({ reminded, opened }: InvoiceLife, isOver: boolean): Stop[] {
  const stops = opened ? [doneStop('Opened', opened.first_at, describeRepeats(opened.times, opened.last_at))] : [];
  if (reminded) stops.push(doneStop('Reminded', reminded.last_at, reminded.times > 1 ? `${reminded.times} times` : ''));
  if (!opened && !isOver) stops.push(futureStop('Opened'));
  return stops;
}

/** Returns the stops for a bank payment that was returned. The invoice is open again after it. */
const bankReturnStops = ({ at, returned_at, amount }: InvoiceLife['returned'][number], currency: string): Stop[] => [
  doneStop('Submitted', at, `bank payment, ${formatMoney(parseCents(amount) ?? 0, currency)}`),
  { name: 'Returned', state: 'back', time: stopTime(returned_at), detail: 'the bank did not pay' },
];

function paymentStops({ life, properties }: Invoice, isPaid: boolean): Stop[] {
  const { hs_invoice_status: status, hs_due_date: due, payment_date, payment_method } = properties;
  if (status === 'draft') return [futureStop('Paid')];
  if (life.payments.length > 0) return life.payments.flatMap((payment) => stopsOfPayment(life, payment, properties));
  if (isPaid) {
    const time = payment_date ? formatDay(payment_date) : undefined;
    return [{ name: 'Paid', state: 'done', time, detail: payment_method || 'according to HubSpot' }];
  }
  if (status === 'voided') return [{ name: 'Voided', state: 'ended', detail: 'in HubSpot' }];
  const day = due && (due.slice(0, 4) === todayLocal().slice(0, 4) ? shortDay(due) : formatDay(due));
  const dueText = !due ? '' : due < todayLocal() ? `due since ${day}` : `due ${day}`;
  const { undecided } = life;
  const payStop: Stop = undecided
    ? {
        name: undecided.state === 'sent' ? 'Being paid' : 'Not known yet',
        state: 'unknown',
        time: stopTime(undecided.at),
        detail: 'do not take it again',
      }
    : futureStop('Paid', dueText);
  return [payStop, futureStop('In a batch'), futureStop('Settled')];
}

function stopsOfPayment(
  life: InvoiceLife,
  payment: Payment,
  { hs_currency }: InvoicePreviewReply['properties'],
): Stop[] {
  const { at, card, via, state, batch } = payment;
  if (state === 'pending') return [doneStop('Submitted', at, 'bank payment on its way')];
  const stops = [doneStop('Paid', at, `${card}, ${via}`)];
  if (batch) stops.push(doneStop(`In batch ${batch.id}`, at, via));
  const reversalStop = moneyBackStop(life, payment, hs_currency);
  // A voided payment is not settled with its batch.
  if (reversalStop?.name === 'Voided') return [...stops, reversalStop];
  if (batch?.settled_at) stops.push(doneStop('Settled', batch.settled_at, batch.confirmation));
  if (batch?.funded_on) stops.push(bankStop(batch, hs_currency));
  if (reversalStop) return [...stops, reversalStop];
  if (card !== 'Bank account') {
    if (!batch) stops.push(futureStop('In a batch'));
    if (!batch?.settled_at) stops.push(futureStop('Settled'));
  }
  return stops;
}

function bankStop({ funded_on, deposit, fees }: NonNullable<Payment['batch']>, currency: string): Stop {
  const money = (amount: string) => formatMoney(parseCents(amount) ?? 0, currency);
  const detail = deposit ? `${money(deposit)}${fees && parseCents(fees) ? `, fees ${money(fees)}` : ''}` : '';
  return { name: 'In the bank', state: 'done', time: funded_on ? shortDay(funded_on) : undefined, detail };
}

/** Returns the stop for money that went back, which leaves the earlier stops in place. Null if no money went back. */
function moneyBackStop({ given_back, payments }: InvoiceLife, { state, card }: Payment, currency: string): Stop | null {
  if (state === 'returned') return { name: 'Returned', state: 'back', detail: 'by the bank' };
  // Several reversals share one stop, which shows the newest of them.
  const reversals = given_back.filter(
    (reversal) => !reversal.is_earlier && (payments.length === 1 || reversal.card === card),
  );
  const [newest] = reversals;
  if (!newest) return null;
  const cents = reversals.reduce((sum, { amount }) => sum + (parseCents(amount) ?? 0), 0);
  const name = newest.kind === 'void' ? 'Voided' : state === 'refunded' ? 'Refunded' : 'Partly refunded';
  const prefix = reversals.length > 1 ? `${reversals.length} times, ` : '';
  const destination = newest.kind === 'void' || !newest.card ? '' : ` to ${newest.card}`;
  return {
    name,
    state: 'back',
    time: stopTime(newest.at),
    detail: `${prefix}${formatMoney(-cents, currency)}${destination}`,
  };
}

const PLACEHOLDER: Stop[] = ['Sent', 'Opened', 'Paid', 'In a batch', 'Settled'].map((name) => ({
  name,
  state: 'ahead',
}));

/** The timeline of an invoice, or a placeholder while there is no invoice. */
export function InvoiceTimeline({ invoice }: { invoice: InvoicePreviewReply | null }) {
  return (
    <div className="card life screen-only">
      <StatusSteps label="Life of this invoice" stops={invoice ? stopsOf(invoice) : PLACEHOLDER} />
    </div>
  );
}

/** Returns why no payment of this invoice may be taken or requested now, or null if it may. */
export function reasonNotToCollect({ life, parts, properties }: InvoicePreviewReply): string | null {
  if (life.undecided) return 'We do not know yet whether this was charged.';
  const closingReason = properties.hs_invoice_status === 'paid' ? null : paymentBlockReason();
  if (closingReason) return closingReason;
  if (properties.hs_invoice_status !== 'open') return statusBlockReason(properties.hs_invoice_status);
  if (parts.is_frozen) return 'Confirm first what is owed.';
  return properties.hs_balance_due === null ? 'The amount cannot be read.' : null;
}

/** Returns the step whose button is green, or null if no step is needed or a payment is in progress. */
export function nextStepOf(invoice: InvoicePreviewReply): 'mail' | 'take' | 'check' | null {
  const { life, properties, email, bad_address } = invoice;
  if (life.undecided) return life.undecided.state === 'sent' ? null : 'check';
  if (properties.hs_invoice_status !== 'open' || properties.hs_currency !== ONLINE_CURRENCY) return null;
  if (reasonNotToCollect(invoice)) return null;
  return email && !bad_address && !linkBlockReason() ? 'mail' : 'take';
}
