import { type LazyScreen, lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';

/** A view in the dashboard's main area, at an address of its own. */
export type View = {
  path: string;
  /** Its name in the sidebar; a view without one is reached from another view. */
  entry?: string;
  /** The path of that other view. */
  parentPath?: string;
  /** Its name in the palette; by default its name in the sidebar. */
  paletteName?: string;
  /** Loaded when opened, or when the browser is idle. */
  screen: LazyScreen<object>;
};

/**
 * The dashboard's views in the order of its sidebar; `/` shows the first. The Worker must know each address too
 * (APP_PATHS), and a view's heading is an h2.
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
    parentPath: '/batches',
    screen: lazyScreen(() => import('../batches/Transactions.tsx').then((code) => code.Transactions)),
  },
  {
    path: '/transactions/all',
    parentPath: '/batches',
    paletteName: 'All payments',
    screen: lazyScreen(() => import('../payments/PaymentList.tsx').then((code) => code.PaymentList)),
  },
  {
    path: '/checks',
    parentPath: '/batches',
    screen: lazyScreen(() => import('../reconciliation/Checks.tsx').then((code) => code.Checks)),
  },
  {
    path: '/takings',
    parentPath: '/batches',
    screen: lazyScreen(() => import('../takings/CardTakings.tsx').then((code) => code.CardTakings)),
  },
];

/** Returns the view at an address; null if it is not one of the dashboard's. */
export const viewAt = (path: string): View | null =>
  views.find((view) => view.path === path) ?? (path === '/' ? (views[0] ?? null) : null);
