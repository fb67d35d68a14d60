/** Links of the top bar, in order. `below`: addresses of screens that are reached from there. */
export const topLinks: { name: string; path: string; below?: string }[] = [
  { name: 'Take Payment', path: '/payments' },
  { name: 'Customers', path: '/customers' },
  { name: 'Invoices', path: '/invoices', below: '/invoice/' },
  { name: 'User Info', path: '/userinfo' },
];
