import type { InvoicePreviewReply } from '../../../../shared/contracts/preview.ts';
import { formatDay } from '../../ui/format-moment.ts';
import { Money } from '../../ui/Money.tsx';

type Properties = InvoicePreviewReply['properties'];

/** The amount due, or the amount paid. */
export function Owed({ properties }: { properties: Properties }) {
  const { hs_invoice_status: status, hs_amount_billed, hs_balance_due, hs_currency } = properties;
  const amount = status === 'open' ? hs_balance_due : hs_amount_billed;
  if (!amount) return null;
  return (
    <p className="preview-owed">
      <Money amount={amount} currency={hs_currency} /> {whenOf(properties)}
    </p>
  );
}

function whenOf({ hs_invoice_status, hs_due_date, payment_date }: Properties): string {
  if (hs_invoice_status === 'open') return hs_due_date ? `due ${formatDay(hs_due_date)}` : 'due';
  if (hs_invoice_status === 'paid') return payment_date ? `paid ${formatDay(payment_date)}` : 'paid';
  if (hs_invoice_status === 'submitted') return 'bank payment on its way';
  return ['voided', 'refunded', 'returned'].includes(hs_invoice_status) ? hs_invoice_status : 'billed';
}
