/**
 * Cards shown on the pay page, replaced at build time like operator.ts. The provider does not report the accepted cards
 * of a merchant. In a separate file so that no other screen loads it.
 */
export const operatorCards = ['Visa', 'Mastercard', 'Amex', 'Discover'] as const;
