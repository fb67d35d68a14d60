import type { StaffRole } from '../../../../shared/contracts/team-values.ts';

/** Links of the top bar, in order. `below`: addresses of screens that are reached from there; `least`: for this role on. */
export const topLinks: { name: string; path: string; below?: string; least?: StaffRole }[] = [
  { name: 'Take Payment', path: '/payments', least: 'desk' },
  { name: 'Customers', path: '/customers', below: '/customers/' },
  { name: 'Invoices', path: '/invoices', below: '/invoice/' },
  { name: 'User Info', path: '/userinfo' },
  { name: 'Help', path: '/help' },
];
