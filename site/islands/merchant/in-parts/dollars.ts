import { ONLINE_CURRENCY } from '#shared/money';
import { moneyOf } from '../parts/amount.ts';

/** Only invoices in dollars are paid in parts. */
export const dollars = (amount: string): string => moneyOf(amount, ONLINE_CURRENCY);
