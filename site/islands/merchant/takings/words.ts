import { formatMoney, parseCents } from '#shared/money';
import { write } from '#site/islands/ui/format-moment.ts';

export const money = (cents: number): string => formatMoney(cents, 'USD');
/** An amount of the wire; N/A where there is none. */
export const shown = (amount: string | null): string => {
  const cents = parseCents(amount);
  return cents === null ? 'N/A' : money(cents);
};
/** Gateways and our own sums report refunds without a sign. */
export const back = (amount: string): string => {
  const cents = parseCents(amount);
  return cents === null ? 'N/A' : money(-Math.abs(cents));
};

const noonOf = (day: string) => new Date(`${day}T12:00:00Z`);
/** "Tuesday, Nov 24, 2026" */
export const longDay = (day: string): string =>
  write(noonOf(day), { timeZone: 'UTC', weekday: 'long', month: 'short', day: 'numeric', year: 'numeric' });
/** "Tuesday" */
export const weekday = (day: string): string => write(noonOf(day), { timeZone: 'UTC', weekday: 'long' });
