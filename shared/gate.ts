import type { AppView, MerchantData } from './contracts/session.ts';

/** How far a business has come: no account, an account without terminals, or ready to work. */
export function gateOf({ merchant, devices }: MerchantData): AppView['gate'] {
  if (!merchant) return 'sign-up';
  return devices.length > 0 ? 'shell' : 'merchant';
}
