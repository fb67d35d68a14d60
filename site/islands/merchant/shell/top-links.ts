import type { StaffRight } from '#shared/contracts/team-values';
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
