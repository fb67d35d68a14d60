/** Returns the payer's name if someone other than the customer paid, else ''. */
export const otherPayer = (customer: string, payer: string): string =>
  customer !== '' && payer !== customer ? payer : '';
