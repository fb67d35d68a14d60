import { formatMoney } from '#shared/money';

const DECIMAL = /^(-?)(\d{1,12})(?:\.(\d{1,10}))?$/;
const MOST_DECIMALS = 6;

type Decimal = { digits: bigint; places: number };

function parseDecimal(text: string): Decimal | null {
  const match = DECIMAL.exec(text.trim());
  if (!match) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  const digits = BigInt(whole + fraction);
  return { digits: sign ? -digits : digits, places: fraction.length };
}

/** Rounds to whole cents, half a cent away from zero. */
function centsOf({ digits, places }: Decimal): number | null {
  const size = digits < 0n ? -digits : digits;
  const unit = 10n ** BigInt(Math.max(0, places - 2));
  const cents = Number(places < 2 ? size * 10n ** BigInt(2 - places) : (2n * size + unit) / (2n * unit));
  if (!Number.isSafeInteger(cents)) return null;
  return digits < 0n && cents ? -cents : cents;
}

/** A line's total in cents: unit price x quantity, both decimal text, without floats. Null when one is no number. */
export function lineTotal(amount: string | null, quantity: string | null): number | null {
  const price = parseDecimal(amount ?? '');
  const count = parseDecimal(quantity || '1');
  if (!price || !count) return null;
  return centsOf({ digits: price.digits * count.digits, places: price.places + count.places });
}

/** The unit price for a person to read; fractions of a cent are shown, since they count in the line's total. */
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
    maximumFractionDigits: MOST_DECIMALS,
  }).format(Math.abs(Number(amount)));
  return price.digits < 0n ? `−${text}` : text;
}
