import type { AppView, MerchantData } from '../../../../shared/contracts/session.ts';

export type Gate = AppView['gate'];

/** How far a business has come: no account, an account without terminals, or ready to work. */
export function gateOf({ merchant, devices }: MerchantData): Gate {
  if (!merchant) return 'sign-up';
  return devices.length > 0 ? 'shell' : 'merchant';
}

export const APP_VIEW_ID = 'app-view';

export function readAppView(): AppView {
  return JSON.parse(document.getElementById(APP_VIEW_ID)?.textContent ?? '') as AppView;
}
