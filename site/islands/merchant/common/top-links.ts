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
