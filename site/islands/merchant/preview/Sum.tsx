import type { InvoicePreviewReply } from '#shared/contracts/preview';
import { decimalFromCents, parseCents } from '#shared/money';
import { AMOUNT_UNREADABLE } from '#shared/words/amount-words';
import { dayNow, formatDay } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { may } from '../parts/app-view.ts';
import { isToRecord, linesInCrm } from './in-crm.ts';

const DAY_MS = 86_400_000;
const plural = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;

/** What is owed or was paid, and what the CRM shows of it. */
export const Sum = ({ invoice }: { invoice: InvoicePreviewReply }) => (
  <div>
    <Sentence invoice={invoice} />
    {linesInCrm(invoice).map((line) => (
      <p key={line} className="preview-owed screen-only">
        {line}
      </p>
    ))}
    {isToRecord(invoice) && (
      <p className="preview-owed screen-only">
        {may('oversee') ? (
          <AppLink href="/account/write-back">See what to enter in HubSpot</AppLink>
        ) : (
          'Ask a manager to enter it in HubSpot.'
        )}
      </p>
    )}
  </div>
);

/** In one sentence: what is owed, or what was paid and what of it is kept. */
function Sentence({ invoice }: { invoice: InvoicePreviewReply }) {
  const { life, properties } = invoice;
  const { hs_invoice_status: status, hs_amount_billed, hs_balance_due, hs_currency: currency } = properties;
  const money = (amount: string | null) => <Money amount={amount} currency={currency} />;
  const amount = status === 'open' ? hs_balance_due : (amountOf(invoice) ?? hs_amount_billed);
  const [paid, refunded] = [parseCents(life.paid) ?? 0, parseCents(life.refunded) ?? 0];
  if (refunded > 0 && status !== 'open' && status !== 'voided') {
    const kept = paid - refunded;
    return (
      <p className="preview-owed">
        {money(life.paid)} paid, {money(life.refunded)} refunded.{' '}
        {kept > 0 ? <>{money(decimalFromCents(kept))} is kept.</> : 'Nothing is kept.'}
      </p>
    );
  }
  if (life.undecided !== null)
    return (
      <p className="preview-owed">
        {money(life.undecided.amount)} may have been charged already. Do not take it again.
      </p>
    );
  if (status === 'open' && invoice.parts.is_frozen)
    return (
      <p className="preview-owed">
        The amount in HubSpot has changed. Nothing is taken or mailed until somebody says what is owed.
      </p>
    );
  if (!amount)
    return status === 'open' ? (
      <p className="preview-owed screen-only">{AMOUNT_UNREADABLE} Until then nothing is taken or mailed.</p>
    ) : null;
  return (
    <p className="preview-owed">
      {money(amount)} {whenOf(properties)}
    </p>
  );
}

/** Of a closed invoice: what our ledger has of it, or what is on its way. Null: only the CRM says. */
function amountOf({ life, properties }: InvoicePreviewReply): string | null {
  if (properties.hs_invoice_status === 'submitted')
    return life.payments.find(({ state }) => state === 'pending')?.amount ?? null;
  return properties.hs_invoice_status === 'paid' ? properties.amount_paid : null;
}

function whenOf(properties: InvoicePreviewReply['properties']): string {
  const { hs_invoice_status, hs_balance_due, hs_due_date: due, payment_date } = properties;
  if (hs_invoice_status === 'open') {
    if (!due || parseCents(hs_balance_due) === 0) return 'owed.';
    const late = Math.round((Date.parse(dayNow()) - Date.parse(due)) / DAY_MS);
    return `owed, due ${formatDay(due)}.${late > 0 ? ` ${plural(late, 'day')} late.` : ''}`;
  }
  if (hs_invoice_status === 'paid') return payment_date ? `paid ${formatDay(payment_date)}.` : 'paid.';
  if (hs_invoice_status === 'submitted') return 'bank payment on its way.';
  return `${['voided', 'refunded', 'returned'].includes(hs_invoice_status) ? hs_invoice_status : 'billed'}.`;
}
