import { type LazyScreen, lazyScreen } from '../../ui/routing/lazy-screen.ts';

/** One thing that the main area of the dashboard can show, at an address of its own. */
export type View = {
  path: string;
  /** What its entry in the sidebar is called; a view that is reached from another one has none. */
  entry?: string;
  /** The path of that other one. */
  under?: string;
  /** Its code comes when it is looked at, or when nothing else is to be done. */
  screen: LazyScreen<object>;
};

/**
 * What the dashboard can show, in the order of its sidebar; `/` shows the first. The Worker has to know each address too
 * (APP_PATHS), and a view's heading is of the second level.
 */
export const views: readonly View[] = [
  {
    path: '/batches',
    entry: 'Batches Dashboard',
    screen: lazyScreen(() => import('../batches/Batches.tsx').then((code) => code.Batches)),
  },
  {
    path: '/openInvoices',
    entry: 'Open Invoices',
    screen: lazyScreen(() => import('../pay-links/OpenInvoices.tsx').then((code) => code.OpenInvoices)),
  },
  {
    path: '/analytics',
    entry: 'Payment Analytics',
    screen: lazyScreen(() => import('../analytics/PaymentAnalytics.tsx').then((code) => code.PaymentAnalytics)),
  },
  {
    path: '/transactions',
    under: '/batches',
    screen: lazyScreen(() => import('../batches/Transactions.tsx').then((code) => code.Transactions)),
  },
  {
    path: '/checks',
    under: '/batches',
    screen: lazyScreen(() => import('../reconciliation/Checks.tsx').then((code) => code.Checks)),
  },
];

/** The view at an address of the dashboard; null for all other addresses. */
export const viewAt = (path: string): View | null =>
  views.find((view) => view.path === path) ?? (path === '/' ? (views[0] ?? null) : null);
