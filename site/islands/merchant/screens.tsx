import { useEffect } from 'react';
import { type Chunk, chunk, fetchAhead } from '../ui/chunk.ts';
import { AppError } from './AppBoundary.tsx';
import { viewAt, views } from './dashboard/views.ts';
import { Lazy } from './Lazy.tsx';

const dashboard = chunk(() => import('./dashboard/Dashboard.tsx').then((code) => code.Dashboard));
const invoiceList = chunk(() => import('./lists/InvoiceList.tsx').then((code) => code.InvoiceList));
const customerList = chunk(() => import('./lists/CustomerList.tsx').then((code) => code.CustomerList));
const preview = chunk(() => import('./preview/InvoicePreview.tsx').then((code) => code.InvoicePreview));
const takePayment = chunk(() => import('./payments/TakePayment.tsx').then((code) => code.TakePayment));
const userInfo = chunk(() => import('./UserInfo.tsx').then((code) => code.UserInfo));

type Shown = { name: string; isAt(path: string): boolean; screen: Chunk<object> };

/** Which screen stands at which address of the shell. The Worker answers each of these addresses with the app's page. */
const screens: Shown[] = [
  { name: 'dashboard', isAt: (path) => viewAt(path) !== null, screen: dashboard },
  { name: 'invoices', isAt: (path) => path === '/invoices', screen: invoiceList },
  { name: 'invoice', isAt: (path) => /^\/invoice\/[^/]+$/.test(path), screen: preview },
  { name: 'customers', isAt: (path) => path === '/customers', screen: customerList },
  { name: 'payments', isAt: (path) => path === '/payments', screen: takePayment },
  { name: 'user', isAt: (path) => path === '/userinfo', screen: userInfo },
];

const findScreen = (path: string) => screens.find(({ isAt }) => isAt(path));

/** The same for all addresses of one screen. */
export const screenName = (path: string): string => findScreen(path)?.name ?? path;

/** What is not looked at yet comes while nothing else is to be done. */
export function preloadRest(): void {
  const load = () => fetchAhead(...[...screens, ...views].map(({ screen }) => screen));
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 10_000 });
}

export function ShellScreen({ path }: { path: string }) {
  const screen = findScreen(path)?.screen;
  // The view inside the dashboard need not wait for its frame.
  useEffect(() => fetchAhead(viewAt(path)?.screen), [path]);
  return screen ? <Lazy of={screen} props={{}} /> : <AppError>There is nothing at this address.</AppError>;
}
