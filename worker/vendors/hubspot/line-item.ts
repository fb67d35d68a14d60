import type { CrmLine } from './port.ts';
import type { CrmObject } from './wire.ts';

/** Millionths: fine enough for a price of fractions of a cent and for hours with decimals, without a float. */
const PLACES = 6;
const ONE = 10n ** BigInt(PLACES);
const PER_CENT = ONE / 100n;
const DECIMAL = /^(-?)(\d{1,12})(?:\.(\d{1,6})0*)?$/;

function millionthsOf(text: string | null | undefined): bigint | null {
  const match = DECIMAL.exec(text ?? '');
  if (!match) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  const value = BigInt(whole) * ONE + BigInt(fraction.padEnd(PLACES, '0'));
  return sign ? -value : value;
}

/** Half away from zero. */
function divide(value: bigint, by: bigint): bigint {
  const isNegative = value < 0n !== by < 0n;
  const [size, unit] = [value < 0n ? -value : value, by < 0n ? -by : by];
  const rounded = (2n * size + unit) / (2n * unit);
  return isNegative ? -rounded : rounded;
}

/** Two decimals at least, more only where they count. */
function decimalOf(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0{1,4}$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${fraction}`;
}

/**
 * HubSpot's `amount` is what the whole line comes to, after discounts; `price` is the price of one before them. The price
 * of one that we print is the price where quantity x price is the line, and what one really costs where it is not.
 */
export function lineOf({ id, properties }: Pick<CrmObject, 'id' | 'properties'>): CrmLine {
  const price = millionthsOf(properties.price);
  const total = millionthsOf(properties.amount);
  const quantity = millionthsOf(properties.quantity || '1');
  const product = price === null || quantity === null ? null : divide(price * quantity, ONE * PER_CENT);
  const totalCents = total === null ? product : divide(total, PER_CENT);
  const isWhole = price !== null && (product === null || product === totalCents);
  const unit = isWhole || totalCents === null || !quantity ? price : divide(totalCents * PER_CENT * ONE, quantity);
  return {
    id,
    name: properties.name ?? '',
    unitPrice: unit === null ? null : decimalOf(unit),
    quantity: properties.quantity || null,
    totalCents: totalCents === null ? null : Number(totalCents),
  };
}
