import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { decimalFromCents, formatMoney, parseCents } from '#shared/money';
import { formatCount } from '#shared/text/format-count';
import { AMOUNT_UNREADABLE } from '#shared/text/staff-words';
import { formatDay, formatMoment, todayLocal } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { hasRight } from '../common/app-view.ts';
import { reversalTexts } from '../refunds/reversal-texts.ts';

type Payment = InvoicePreviewReply['life']['payments'][number];

const CRM_NAME = 'HubSpot';

/**
 * Describes the state of each payment in the CRM, one line per payment, with its amount if there are several. Returns
 * no line for a payment without a CRM record.
 */
export function crmRecordLines({ life: { payments }, crm_status, properties }: InvoicePreviewReply): string[] {
  const hasSeveral = payments.length > 1;
  return payments.flatMap((payment) => {
    const line = describeCrmRecord(payment, crm_status);
    if (!line) return [];
    const amount = hasSeveral ? `${formatMoney(parseCents(payment.amount) ?? 0, properties.hs_currency)}: ` : '';
    return [`${amount}${line}`];
  });
}

/** True if the CRM lacks a payment, so staff must enter it. */
export const needsRecording = ({ life: { payments }, crm_status }: InvoicePreviewReply): boolean =>
  crm_status !== 'paid' && payments.some(({ in_crm }) => in_crm?.state === 'missing' || in_crm?.state === 'unmoved');

function describeCrmRecord({ in_crm }: Payment, crmStatus: string): string {
  if (!in_crm) return '';
  const { state, at, why } = in_crm;
  const timeText = at ? ` ${formatMoment(at)}` : '';
  if (state === 'recorded') return `Recorded in ${CRM_NAME}${timeText}`;
  if (state === 'by-hand') return `Recorded in ${CRM_NAME} by hand${timeText}${why && `: ${why}`}`;
  // The CRM's status was read just now, so it is newer than the state of our record.
  if (crmStatus === 'paid') return `${CRM_NAME} shows this invoice as paid.`;
  if (state === 'waiting') return `Will be recorded in ${CRM_NAME}.`;
  if (state === 'unmoved') return `Recorded, but ${CRM_NAME} still shows it as open.`;
  return `Paid here, not in ${CRM_NAME}${why ? `: ${why}` : '.'}`;
}

const DAY_MS = 86_400_000;

/** The amount owed or paid, and whether its payments are recorded in the CRM. */
export const AmountSummary = ({ invoice }: { invoice: InvoicePreviewReply }) => (
  <div>
    <AmountSentence invoice={invoice} />
    {crmRecordLines(invoice).map((line) => (
      <p key={line} className="preview-owed screen-only">
        {line}
      </p>
    ))}
    {needsRecording(invoice) && (
      <p className="preview-owed screen-only">
        {hasRight('oversee') ? (
          <AppLink href="/account/payments#recording">See what to enter in HubSpot</AppLink>
        ) : (
          'Ask a manager to enter it in HubSpot.'
        )}
      </p>
    )}
  </div>
);

/** States the amount owed, or the amount paid and how much of it was not refunded. */
function AmountSentence({ invoice }: { invoice: InvoicePreviewReply }) {
  const { life, properties } = invoice;
  const { hs_invoice_status: status, hs_amount_billed, hs_balance_due, hs_currency: currency } = properties;
  const money = (amount: string | null) => <Money amount={amount} currency={currency} />;
  const amount = status === 'open' ? hs_balance_due : (paidAmountOf(invoice) ?? hs_amount_billed);
  const [paid, refunded] = [parseCents(life.paid) ?? 0, parseCents(life.refunded) ?? 0];
  if (refunded > 0 && status !== 'open' && status !== 'voided') {
    const remaining = paid - refunded;
    return (
      <p className="preview-owed">
        {money(life.paid)} paid, {money(life.refunded)} {reversalTexts(life).participle}.{' '}
        {remaining > 0 ? <>{money(decimalFromCents(remaining))} remains paid.</> : 'Nothing remains paid.'}
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
        The amount in HubSpot has changed. No payments are taken and no emails sent until someone on your team confirms
        what is owed.
      </p>
    );
  if (!amount)
    return status === 'open' ? (
      <p className="preview-owed screen-only">
        {AMOUNT_UNREADABLE} Until then, no payments are taken and no emails sent.
      </p>
    ) : null;
  return (
    <p className="preview-owed">
      {money(amount)} {describeDates(properties)}
    </p>
  );
}

/** Returns the amount of a paid invoice, or of its pending payment. Null if only the CRM has the amount. */
function paidAmountOf({ life, properties }: InvoicePreviewReply): string | null {
  if (properties.hs_invoice_status === 'submitted')
    return life.payments.find(({ state }) => state === 'pending')?.amount ?? null;
  return properties.hs_invoice_status === 'paid' ? properties.amount_paid : null;
}

function describeDates(properties: InvoicePreviewReply['properties']): string {
  const { hs_invoice_status, hs_balance_due, hs_due_date: due, payment_date } = properties;
  if (hs_invoice_status === 'open') {
    if (!due || parseCents(hs_balance_due) === 0) return 'owed.';
    const daysLate = Math.round((Date.parse(todayLocal()) - Date.parse(due)) / DAY_MS);
    return `owed, due ${formatDay(due)}.${daysLate > 0 ? ` ${formatCount(daysLate, 'day')} late.` : ''}`;
  }
  if (hs_invoice_status === 'paid') return payment_date ? `paid ${formatDay(payment_date)}.` : 'paid.';
  if (hs_invoice_status === 'submitted') return 'bank payment on its way.';
  return `${['voided', 'refunded', 'returned'].includes(hs_invoice_status) ? hs_invoice_status : 'billed'}.`;
}
