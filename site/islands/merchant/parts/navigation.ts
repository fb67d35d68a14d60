import type { StaffRight } from '#shared/contracts/staff/team-values';
import type { IconName } from '#site/islands/ui/Icon.tsx';

/**
 * Links of the top bar, in order. `pathPrefix`: the prefix of the screens that belong to the link; `right`: the right that
 * a user needs to see it; `icon`: replaces the name at the far end, if the bar fits.
 */
export const topLinks: { name: string; path: string; pathPrefix?: string; right?: StaffRight; icon?: IconName }[] = [
  { name: 'Take Payment', path: '/payments', right: 'collect' },
  { name: 'Customers', path: '/customers', pathPrefix: '/customers/' },
  { name: 'Invoices', path: '/invoices', pathPrefix: '/invoice/' },
  { name: 'User Info', path: '/userinfo' },
  { name: 'Help', path: '/help', icon: 'help' },
];

/**
 * The screens under Account, with their paths. `right`: the right that a user needs to see the screen. `startsGroup`:
 * starts a new group: the user's own screen, then those of the account, then those about payments. With Switch person
 * and Log Out, the menu has eight entries.
 */
export const accountParts: { name: string; path: string; right?: StaffRight; startsGroup?: true }[] = [
  { name: 'User Info', path: '/userinfo' },
  { name: 'Team', path: '/account/team', right: 'administer', startsGroup: true },
  { name: 'Audit trail', path: '/audit', right: 'audit' },
  { name: 'Records and closing', path: '/account/records', right: 'administer' },
  { name: 'Approvals', path: '/account/approvals', right: 'oversee', startsGroup: true },
  { name: 'Payments settings', path: '/account/payments', right: 'oversee' },
];
