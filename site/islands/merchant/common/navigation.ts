import type { StaffRight } from '#shared/contracts/staff/team-values';
import type { IconName } from '#site/islands/ui/Icon.tsx';

/**
 * The links of the top bar, in order. `pathPrefix` is the prefix of further screens that belong to the link. `right` is
 * the right that a user needs to see it. `icon` replaces the name on a wide screen.
 */
export const topLinks: { name: string; path: string; pathPrefix?: string; right?: StaffRight; icon?: IconName }[] = [
  { name: 'Take Payment', path: '/payments', right: 'collect' },
  { name: 'Customers', path: '/customers', pathPrefix: '/customers/' },
  { name: 'Invoices', path: '/invoices', pathPrefix: '/invoice/' },
  { name: 'User Info', path: '/userinfo' },
  { name: 'Help', path: '/help', icon: 'help' },
];

/**
 * The screens under Account, with their paths. `right` is the right that a user needs to see the screen. `startsGroup`
 * starts a new group in the menu: first the user's own screen, then the account's, then those about payments.
 */
export const accountScreens: { name: string; path: string; right?: StaffRight; startsGroup?: true }[] = [
  { name: 'User Info', path: '/userinfo' },
  { name: 'Team', path: '/account/team', right: 'administer', startsGroup: true },
  { name: 'Audit trail', path: '/audit', right: 'audit' },
  { name: 'Records and closing', path: '/account/records', right: 'administer' },
  { name: 'Approvals', path: '/account/approvals', right: 'oversee', startsGroup: true },
  { name: 'Payments settings', path: '/account/payments', right: 'oversee' },
];
