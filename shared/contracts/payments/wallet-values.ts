/** The digital wallets that may hold the card of a payment. */
export const wallets = ['apple', 'google'] as const;
export type Wallet = (typeof wallets)[number];
