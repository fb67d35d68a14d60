import type { StaffRight } from '#shared/contracts/staff/team-values';
import type { IconName } from '#site/islands/ui/Icon.tsx';

/**
 * Links of the top bar, in order. `below`: addresses of screens that are reached from there; `right`: for those who have it;
 * `icon`: in place of its name where there is room for the bar, at the far end.
 */
export const topLinks: { name: string; path: string; below?: string; right?: StaffRight; icon?: IconName }[] = [
  { name: 'Take Payment', path: '/payments', right: 'collect' },
  { name: 'Customers', path: '/customers', below: '/customers/' },
  { name: 'Invoices', path: '/invoices', below: '/invoice/' },
  { name: 'User Info', path: '/userinfo' },
  { name: 'Help', path: '/help', icon: 'help' },
];

/**
 * The screens under Account, each with its address. `right`: shown to people who have it. `isApart`: begins another group:
 * first one's own screens, then the account's, then those about payments.
 */
export const accountParts: { name: string; path: string; right?: StaffRight; isApart?: true }[] = [
  { name: 'User Info', path: '/userinfo' },
  { name: 'Sessions', path: '/account/sessions' },
  { name: 'Passkeys and PIN', path: '/account/sign-in' },
  { name: 'Team', path: '/account/team', right: 'administer', isApart: true },
  { name: 'Audit trail', path: '/audit', right: 'audit' },
  { name: 'Records and closing', path: '/account/records', right: 'administer' },
  { name: 'Approvals', path: '/account/approvals', right: 'oversee', isApart: true },
  { name: 'Pay page', path: '/account/pay-page', right: 'oversee' },
  { name: 'Payment in parts', path: '/account/parts', right: 'oversee' },
  { name: 'HubSpot records', path: '/account/write-back', right: 'oversee' },
];
