import type { Language } from '../words/language.ts';

/** Why an invoice in another currency has no pay link. */
export const notPaidOnline = (currency: string): string =>
  `Invoices in ${currency || 'an unknown currency'} cannot be paid online.`;

/** To staff, of an invoice whose amount cannot be read. */
export const AMOUNT_UNREADABLE =
  'HubSpot names no amount of this invoice that can be read in whole cents. Correct it there.';

/** Those whose words no native speaker has read yet: staff are told so where they choose one. */
export const unreadLanguages: readonly Language[] = ['es'];
