import { AppError } from './AppBoundary.tsx';
import { chunk } from './chunk.ts';
import { Lazy } from './Lazy.tsx';

const dashboard = chunk(() => import('./dashboard/Dashboard.tsx').then((code) => code.Dashboard));
const invoiceList = chunk(() => import('./lists/InvoiceList.tsx').then((code) => code.InvoiceList));
const customerList = chunk(() => import('./lists/CustomerList.tsx').then((code) => code.CustomerList));
const preview = chunk(() => import('./preview/InvoicePreview.tsx').then((code) => code.InvoicePreview));
const userInfo = chunk(() => import('./UserInfo.tsx').then((code) => code.UserInfo));

/** Which screen stands at which address of the shell. The Worker answers each of these addresses with the app's page. */
const screens = [
  { at: /^\/(?:openInvoices)?$/, screen: dashboard },
  { at: /^\/invoices$/, screen: invoiceList },
  { at: /^\/invoice\/[^/]+$/, screen: preview },
  { at: /^\/customers$/, screen: customerList },
  { at: /^\/userinfo$/, screen: userInfo },
];

const findScreen = (path: string) => screens.find(({ at }) => at.test(path));

/** The same for all addresses of one screen. */
export const screenName = (path: string): string => findScreen(path)?.at.source ?? path;

/** What is not looked at yet comes while nothing else is to be done. */
export function preloadRest(): void {
  const load = () => {
    // One that does not come is told of when it is needed.
    for (const { screen } of screens) screen.load().catch(() => undefined);
  };
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 10_000 });
}

export function ShellScreen({ path }: { path: string }) {
  const screen = findScreen(path)?.screen;
  return screen ? <Lazy of={screen} props={{}} /> : <AppError>There is nothing at this address.</AppError>;
}
