/**
 * Cards that the pay page names, replaced as those of operator.ts are. The provider does not tell which ones a merchant takes. A file
 * of its own, so that no other screen loads it.
 */
export const operatorCards = ['Visa', 'Mastercard', 'AMEX', 'Discover'] as const;
