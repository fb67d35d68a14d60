const BRANDS: Record<string, string> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'American Express',
  DISCOVER: 'Discover',
};

/** Returns "Visa 1111"; empty for a bank account. The gateway writes brands in capitals. */
export const cardName = ({ brand, lastFour }: { brand: string; lastFour: string }): string =>
  lastFour && `${BRANDS[brand.toUpperCase()] ?? brand} ${lastFour}`.trim();
