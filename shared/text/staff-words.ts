/** Reason why an invoice in another currency has no pay link. */
export const describeUnpayableCurrency = (currency: string): string =>
  `Invoices in ${currency || 'an unknown currency'} cannot be paid online.`;

/** Message to staff about an invoice with an unreadable amount. */
export const AMOUNT_UNREADABLE =
  'The amount of this invoice in HubSpot cannot be read in whole cents. Correct it there.';
