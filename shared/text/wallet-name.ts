import type { Wallet } from '../contracts/payments/wallet-values.ts';

const NAMES: Record<Wallet, string> = { apple: 'Apple Pay', google: 'Google Pay' };

/** "Apple Pay"; empty without a wallet. Wallets have the same name in every language. */
export const walletName = (wallet: Wallet | ''): string => wallet && NAMES[wallet];

/** Names the means of payment for staff: the wallet with its card, the card, or the bank account. */
export const methodName = (
  { method, wallet }: { method: string; wallet: Wallet | '' },
  /** The name of the card, such as "Visa 1111"; empty if unknown. */
  card = '',
): string => {
  if (method === 'ach') return 'Bank account';
  return [walletName(wallet), card].filter(Boolean).join(', ') || 'Card';
};
