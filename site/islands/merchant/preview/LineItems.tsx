import type { InvoicePreviewReply } from '#shared/contracts/preview';
import { formatMoney, parseCents } from '#shared/money';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { is } from '#site/islands/ui/table/table-roles.ts';
import { moneyOf, NONE } from '../parts/amount.ts';
import { formatPrice, lineTotal } from './line-total.ts';
import '#site/styles/parts/table/line-items.css';

type Props = Pick<InvoicePreviewReply, 'lineItemData' | 'lines_match'> & {
  billed: string | null;
  currency: string;
  /** Shown where there is none. */
  noLines: string;
};

/** The lines of an invoice. On a phone a line takes two rows, so every element has its table role. */
export function LineItems({ lineItemData, lines_match, billed, currency, noLines }: Props) {
  const lines = lineItemData.map(({ id, properties: { name, amount, quantity } }) => ({
    id,
    name: name || NONE,
    quantity: quantity || '1',
    price: formatPrice(amount, currency) ?? NONE,
    total: lineTotal(amount, quantity),
  }));
  const sum = lines.reduce((cents, { total }) => cents + (total ?? 0), 0);
  const billedText = moneyOf(billed, currency);
  // An invoice without lines comes to what it bills: there is nothing that could add up or not.
  const isOdd = !lines_match && lines.length > 0 && billed !== null;
  const billedCents = parseCents(billed);
  // What is in no line: of lines that cannot be read, nobody knows.
  const rest = billedCents === null || lines.some(({ total }) => total === null) ? null : billedCents - sum;
  const money = (cents: number | null) => (cents === null ? NONE : formatMoney(cents, currency));

  return (
    <>
      <table className="lines" {...is.table} aria-label="Line items">
        <thead {...is.group}>
          <tr {...is.row}>
            <th {...is.columnHead}>Product</th>
            {['Amount', 'Quantity', 'Total'].map((head) => (
              <th key={head} {...is.columnHead} className="lines-number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...is.group}>
          {lines.length === 0 && (
            <tr {...is.row} className="lines-none">
              <td {...is.cell} colSpan={4}>
                {noLines}
              </td>
            </tr>
          )}
          {lines.map(({ id, name, quantity, price, total }) => (
            <tr key={id} {...is.row}>
              <th {...is.rowHead} className="lines-name">
                {name}
              </th>
              <td {...is.cell} className="lines-number lines-price money">
                {price}
              </td>
              <td {...is.cell} className="lines-number lines-quantity">
                {quantity}
              </td>
              <td {...is.cell} className="lines-number lines-total money">
                {money(total)}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot {...is.group}>
          <SumRow label="Total" value={lines.length === 0 ? billedText : money(sum)} />
          {billed === null && lines.length > 0 && <SumRow label="Amount billed" value="cannot be read" />}
          {isOdd && rest !== null && <SumRow label="Tax, fees, discounts" value={money(rest)} />}
          {isOdd && <SumRow label="Amount billed" value={billedText} />}
        </tfoot>
      </table>
      {isOdd && (
        <div className="screen-only">
          <Banner tone="warn" lead="The lines do not add up to the billed amount.">
            HubSpot billed {billedText}, and that is what counts; the lines come to {money(sum)}. The rest is a tax, fee
            or discount on the whole invoice, or a line to correct in HubSpot.
          </Banner>
        </div>
      )}
    </>
  );
}

function SumRow({ label, value }: { label: string; value: string }) {
  return (
    <tr {...is.row}>
      <th {...is.rowHead} colSpan={3}>
        {label}
      </th>
      <td {...is.cell} className="lines-number money">
        {value}
      </td>
    </tr>
  );
}
