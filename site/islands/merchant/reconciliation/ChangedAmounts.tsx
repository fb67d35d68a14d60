import type { ReconciliationView } from '#shared/contracts/reconciliation';
import { partners } from '#shared/partners';
import { formatMoment } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';

/** Invoices in parts on which nothing is taken until somebody says what is owed. */
export const ChangedAmounts = ({ parts }: { parts: ReconciliationView['frozen_parts'] }) => (
  <section aria-labelledby="changed-title" className="checks-part">
    <h3 id="changed-title">Changed amounts</h3>
    <ul className="differences">
      {parts.map(({ invoice_id, invoice_number, customer, left, shown, since }) => (
        <li key={invoice_id} className="difference">
          <p className="difference-head">
            <AppLink href={`/invoice/${encodeURIComponent(invoice_id)}`}>{invoice_number}</AppLink>
            <strong>
              <Money amount={left} currency="USD" /> left in parts
            </strong>
          </p>
          <p>
            {customer && `${customer}. `}
            {partners.crm} shows <Money amount={shown} currency="USD" /> since {formatMoment(since)}. Nothing more is
            taken until somebody opens the invoice and says what is owed.
          </p>
        </li>
      ))}
    </ul>
  </section>
);
