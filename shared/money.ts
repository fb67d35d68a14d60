/** Inside, money is integer minor units ("cents") plus an ISO 4217 code; strings with two decimals only on the wire. */

const DECIMAL = /^(-?)(\d{1,12})(?:\.(\d{1,2})0*)?$/;
const TYPED = /^-?\d+(?:\.\d{1,2})?$/;

/**
 * Decimal text ("19.9", "184.00", "80.000") to cents without a float. Null: it cannot be read, which is never zero; a
 * fraction of a cent, an exponent and a separator are such.
 */
export function parseCents(text: string | null | undefined): number | null {
  const match = DECIMAL.exec(text ?? '');
  if (!match) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return sign && cents ? -cents : cents;
}

/** The same of an amount that a person types: three decimals may be meant as thousands ("1.000"), so they are refused. */
export const typedCents = (text: string): number | null => (TYPED.test(text) ? parseCents(text) : null);

/** Cents to the wire form: two decimals, no grouping. */
export function decimalFromCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The only currency in which an invoice can be paid online. */
export const ONLINE_CURRENCY = 'USD';

const formats = new Map<string, Intl.NumberFormat>();

/** Cents as a person reads them: "$1,184.00"; other currencies show their own sign. `locale`: for Intl. */
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
