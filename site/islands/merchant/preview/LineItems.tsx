import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { formatMoney, parseCents } from '#shared/money';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { tableRoles } from '#site/islands/ui/table/TableRow.tsx';
import { moneyOf, NOT_AVAILABLE } from '../common/amount.ts';
import '#site/styles/parts/table/line-items.css';

const DECIMAL_PATTERN = /^(-?)(\d{1,12})(?:\.(\d{1,10}))?$/;
const MAX_DECIMALS = 6;

type Decimal = { digits: bigint; decimalPlaces: number };

function parseDecimal(text: string): Decimal | null {
  const match = DECIMAL_PATTERN.exec(text.trim());
  if (!match) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  const digits = BigInt(whole + fraction);
  return { digits: sign ? -digits : digits, decimalPlaces: fraction.length };
}

/** Rounds to whole cents. Half a cent is rounded away from zero. */
function centsOf({ digits, decimalPlaces: places }: Decimal): number | null {
  const magnitude = digits < 0n ? -digits : digits;
  const unit = 10n ** BigInt(Math.max(0, places - 2));
  const cents = Number(places < 2 ? magnitude * 10n ** BigInt(2 - places) : (2n * magnitude + unit) / (2n * unit));
  if (!Number.isSafeInteger(cents)) return null;
  return digits < 0n && cents ? -cents : cents;
}

/**
 * Returns a line's total in cents: unit price x quantity (both decimal text), computed without floats. Null if either
 * is not a number.
 */
export function lineTotalCents(amount: string | null, quantity: string | null): number | null {
  const price = parseDecimal(amount ?? '');
  const count = parseDecimal(quantity || '1');
  if (!price || !count) return null;
  return centsOf({ digits: price.digits * count.digits, decimalPlaces: price.decimalPlaces + count.decimalPlaces });
}

/** Formats the unit price for display. Fractions of a cent are shown, since they count toward the line's total. */
export function formatPrice(amount: string | null, currency: string): string | null {
  const price = parseDecimal(amount ?? '');
  if (!price) return null;
  const places = /\.(\d*?)0*$/.exec(amount ?? '')?.[1]?.length ?? 0;
  if (places <= 2) {
    const cents = centsOf(price);
    return cents === null ? null : formatMoney(cents, currency);
  }
  const text = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    maximumFractionDigits: MAX_DECIMALS,
  }).format(Math.abs(Number(amount)));
  return price.digits < 0n ? `−${text}` : text;
}

type Props = Pick<InvoicePreviewReply, 'lineItemData' | 'lines_match'> & {
  billed: string | null;
  currency: string;
  /** The text shown if the invoice has no lines. */
  noLinesText: string;
};

/**
 * The lines of an invoice. CSS lays them out in two rows on a phone, which removes the implicit table roles, so every
 * element states its role.
 */
export function LineItems({ lineItemData, lines_match, billed, currency, noLinesText: noLines }: Props) {
  const lines = lineItemData.map(({ id, properties: { name, amount, quantity } }) => ({
    id,
    name: name || NOT_AVAILABLE,
    quantity: quantity || '1',
    price: formatPrice(amount, currency) ?? NOT_AVAILABLE,
    total: lineTotalCents(amount, quantity),
  }));
  const sum = lines.reduce((cents, { total }) => cents + (total ?? 0), 0);
  const billedText = moneyOf(billed, currency);
  // An invoice without lines has nothing to compare with the billed amount.
  const isMismatch = !lines_match && lines.length > 0 && billed !== null;
  const billedCents = parseCents(billed);
  // The billed amount that is not in the lines. It is unknown if any line is unreadable.
  const differenceCents = billedCents === null || lines.some(({ total }) => total === null) ? null : billedCents - sum;
  const money = (cents: number | null) => (cents === null ? NOT_AVAILABLE : formatMoney(cents, currency));

  return (
    <>
      <table className="lines" {...tableRoles.table} aria-label="Line items">
        <thead {...tableRoles.group}>
          <tr {...tableRoles.row}>
            <th {...tableRoles.columnHead}>Product</th>
            {['Amount', 'Quantity', 'Total'].map((header) => (
              <th key={header} {...tableRoles.columnHead} className="lines-number">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...tableRoles.group}>
          {lines.length === 0 && (
            <tr {...tableRoles.row} className="lines-none">
              <td {...tableRoles.cell} colSpan={4}>
                {noLines}
              </td>
            </tr>
          )}
          {lines.map(({ id, name, quantity, price, total }) => (
            <tr key={id} {...tableRoles.row}>
              <th {...tableRoles.rowHead} className="lines-name">
                {name}
              </th>
              <td {...tableRoles.cell} className="lines-number lines-price money">
                {price}
              </td>
              <td {...tableRoles.cell} className="lines-number lines-quantity">
                {quantity}
              </td>
              <td {...tableRoles.cell} className="lines-number lines-total money">
                {money(total)}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot {...tableRoles.group}>
          <SumRow label="Total" value={lines.length === 0 ? billedText : money(sum)} />
          {billed === null && lines.length > 0 && <SumRow label="Amount billed" value="cannot be read" />}
          {isMismatch && differenceCents !== null && (
            <SumRow label="Tax, fees, discounts" value={money(differenceCents)} />
          )}
          {isMismatch && <SumRow label="Amount billed" value={billedText} />}
        </tfoot>
      </table>
      {isMismatch && (
        <div className="screen-only">
          <Banner tone="warn" lead="The line items do not add up to the billed amount.">
            HubSpot billed {billedText}, which applies. The line items add up to {money(sum)}. The difference is a tax,
            fee or discount on the whole invoice, or a line item to correct in HubSpot.
          </Banner>
        </div>
      )}
    </>
  );
}

function SumRow({ label, value }: { label: string; value: string }) {
  return (
    <tr {...tableRoles.row}>
      <th {...tableRoles.rowHead} colSpan={3}>
        {label}
      </th>
      <td {...tableRoles.cell} className="lines-number money">
        {value}
      </td>
    </tr>
  );
}
