import type { StaffRole } from '../../../../shared/contracts/team-values.ts';

/**
 * What stands under Account, each at an address of its own, for this role on. `isApart`: begins another group, after one's
 * own the account's, then what is about payments.
 */
export const accountParts: { name: string; path: string; least: StaffRole; isApart?: true }[] = [
  { name: 'User Info', path: '/userinfo', least: 'reader' },
  { name: 'Sessions', path: '/account/sessions', least: 'reader' },
  { name: 'Passkeys and PIN', path: '/account/sign-in', least: 'reader' },
  { name: 'Team', path: '/account/team', least: 'admin', isApart: true },
  { name: 'Audit trail', path: '/audit', least: 'admin' },
  { name: 'Records and closing', path: '/account/records', least: 'admin' },
  { name: 'Approvals', path: '/account/approvals', least: 'manager', isApart: true },
  { name: 'Pay page', path: '/account/pay-page', least: 'manager' },
  { name: 'Payment in parts', path: '/account/parts', least: 'manager' },
  { name: 'HubSpot records', path: '/account/write-back', least: 'manager' },
];
