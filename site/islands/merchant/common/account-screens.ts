import type { StaffRight } from '#shared/contracts/staff/team-values';

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
