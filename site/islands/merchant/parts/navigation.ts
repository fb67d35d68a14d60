import type { StaffRight } from '#shared/contracts/staff/team-values';
import type { IconName } from '#site/islands/ui/Icon.tsx';

/**
 * Links of the top bar, in order. `below`: path prefix of screens that belong to it; `right`: shown to people who have
 * it; `icon`: shown at the far end in place of the name, if the bar fits.
 */
export const topLinks: { name: string; path: string; below?: string; right?: StaffRight; icon?: IconName }[] = [
  { name: 'Take Payment', path: '/payments', right: 'collect' },
  { name: 'Customers', path: '/customers', below: '/customers/' },
  { name: 'Invoices', path: '/invoices', below: '/invoice/' },
  { name: 'User Info', path: '/userinfo' },
  { name: 'Help', path: '/help', icon: 'help' },
];

/**
 * The screens under Account, with their paths. `right`: shown to people who have it. `isApart`: begins a new group: the
 * person's own screen, then the account's, then those about payments. With Switch person and Log Out, the menu has
 * eight entries.
 */
export const accountParts: { name: string; path: string; right?: StaffRight; isApart?: true }[] = [
  { name: 'User Info', path: '/userinfo' },
  { name: 'Team', path: '/account/team', right: 'administer', isApart: true },
  { name: 'Audit trail', path: '/audit', right: 'audit' },
  { name: 'Records and closing', path: '/account/records', right: 'administer' },
  { name: 'Approvals', path: '/account/approvals', right: 'oversee', isApart: true },
  { name: 'Payments settings', path: '/account/payments', right: 'oversee' },
];
