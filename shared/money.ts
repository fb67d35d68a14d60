/** Internally, money is integer minor units ("cents") plus an ISO 4217 code. Only the wire format has decimals. */

const DECIMAL = /^(-?)(\d{1,12})(?:\.(\d{1,2})0*)?$/;
const TYPED = /^-?\d+(?:\.\d{1,2})?$/;

/**
 * Parses decimal text ("19.9", "184.00", "80.000") to cents without a float. Null (never zero) if unreadable: for
 * example a fraction of a cent, an exponent or a separator.
 */
export function parseCents(text: string | null | undefined): number | null {
  const match = DECIMAL.exec(text ?? '');
  if (!match) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return sign && cents ? -cents : cents;
}

/** Parses a typed amount. Refuses three decimals, which may be meant as thousands ("1.000"). */
export const typedCents = (text: string): number | null => (TYPED.test(text) ? parseCents(text) : null);

/** Formats cents for the wire: two decimals, no grouping. */
export function decimalFromCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The only currency in which an invoice can be paid online. */
export const ONLINE_CURRENCY = 'USD';

const formats = new Map<string, Intl.NumberFormat>();

/** Formats cents for display: "$1,184.00", or another currency sign. `locale`: for Intl. */
export function formatMoney(cents: number, currency: string, locale = 'en-US'): string {
  const key = `${locale} ${currency}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: 2 });
    formats.set(key, format);
  }
  const text = format.format(Math.abs(cents) / 100);
  return cents < 0 ? `−${text}` : text;
}
