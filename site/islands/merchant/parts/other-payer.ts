/** The payer's name if somebody else than the customer paid, or ''. */
export const otherPayer = (customer: string, payer: string): string =>
  customer !== '' && payer !== customer ? payer : '';
