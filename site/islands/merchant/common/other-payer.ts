/** Returns the payer's name if the payer is not the customer, otherwise ''. */
export const otherPayer = (customer: string, payer: string): string =>
  customer !== '' && payer !== customer ? payer : '';
