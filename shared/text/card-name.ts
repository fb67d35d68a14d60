const BRANDS: Record<string, string> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'American Express',
  DISCOVER: 'Discover',
};

/** "Visa 1111": the gateway writes brands in capitals. Empty for a bank account. */
export const cardName = ({ brand, lastFour }: { brand: string; lastFour: string }): string =>
  lastFour && `${BRANDS[brand.toUpperCase()] ?? brand} ${lastFour}`.trim();
