import type { AppView } from './contracts/staff/session.ts';

/**
 * Returns the screen that a user gets after login: sign-up without a merchant account, the application's status while
 * the account has no terminals, or the shell of the app.
 */
export function gateOf({ merchant, devices }: AppView['data']): AppView['gate'] {
  if (!merchant) return 'sign-up';
  return devices.length > 0 ? 'shell' : 'merchant';
}
