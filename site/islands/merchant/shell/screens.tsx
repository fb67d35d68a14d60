import { useEffect } from 'react';
import { type LazyScreen, lazyScreen, preload } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppError } from '../common/AppBoundary.tsx';
import { apiErrorPart, Lazy } from '../common/Lazy.tsx';
import { account } from './lazy-areas.ts';
import { viewAt, views } from './views.ts';

const dashboard = lazyScreen(() => import('./Dashboard.tsx').then((code) => code.Dashboard));
const invoiceList = lazyScreen(() => import('../lists/InvoiceList.tsx').then((code) => code.InvoiceList));
const customerList = lazyScreen(() => import('../lists/CustomerList.tsx').then((code) => code.CustomerList));
const customer = lazyScreen(() => import('../customers/Customer.tsx').then((code) => code.Customer));
const preview = lazyScreen(() => import('../preview/InvoicePreview.tsx').then((code) => code.InvoicePreview));
const takePayment = lazyScreen(() => import('../terminals/TakePayment.tsx').then((code) => code.TakePayment));

type ScreenEntry = { name?: string; matches(path: string): boolean; screen: LazyScreen<object> };

/** The screens of the app. The Worker serves the app's page at each of their addresses. */
const screens: ScreenEntry[] = [
  { name: 'dashboard', matches: (path) => viewAt(path) !== null, screen: dashboard },
  { name: 'invoices', matches: (path) => path === '/invoices', screen: invoiceList },
  { name: 'invoice', matches: (path) => /^\/invoice\/[^/]+$/.test(path), screen: preview },
  { name: 'customers', matches: (path) => path === '/customers', screen: customerList },
  { name: 'customer', matches: (path) => /^\/customers\/[^/]+$/.test(path), screen: customer },
  { name: 'payments', matches: (path) => path === '/payments', screen: takePayment },
  { matches: (path) => /^\/(userinfo|audit|help|account\/.+)$/.test(path), screen: account },
];

const findScreen = (path: string) => screens.find(({ matches: isAt }) => isAt(path));

/** Returns the name of the screen at an address. A screen without a name is identified by its address. */
export const screenName = (path: string): string => findScreen(path)?.name ?? path;

/** Loads the remaining screens while the browser is idle. */
export function preloadScreens(): void {
  const load = () => preload(apiErrorPart, ...[...screens, ...views].map(({ screen }) => screen));
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 10_000 });
}

export function ShellScreen({ path }: { path: string }) {
  const screen = findScreen(path)?.screen;
  // The dashboard's view loads at the same time as its frame.
  useEffect(() => preload(viewAt(path)?.screen), [path]);
  return screen ? <Lazy screen={screen} props={{}} /> : <AppError>There is nothing at this address.</AppError>;
}
