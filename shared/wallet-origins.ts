export const GOOGLE_PAY_ORIGIN = 'https://pay.google.com';

/** Google's script, which the card provider's script loads where the business accepts Google Pay. */
export const GOOGLE_PAY_SCRIPT = `${GOOGLE_PAY_ORIGIN}/gp/p/js/pay.js`;

/**
 * The value of `payment` in a pay page's `Permissions-Policy`: the origins that may open a wallet's sheet. `provider`: the
 * card provider's origin.
 */
export function paymentOrigins(provider: string, acceptedWallets: { applePay?: true; googlePay?: true }): string {
  if (acceptedWallets.googlePay) return `self "${provider}" "${GOOGLE_PAY_ORIGIN}"`;
  return acceptedWallets.applePay ? `self "${provider}"` : '';
}
