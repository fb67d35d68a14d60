import { type LazyScreen, lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';

/** A view in the dashboard's main area. It has its own address. */
export type View = {
  path: string;
  /** The name in the sidebar. A view without one is opened from its parent view. */
  sidebarName?: string;
  /** The path of the parent view. */
  parentPath?: string;
  /** The name in the palette, by default the name in the sidebar. */
  paletteName?: string;
  /** The code of the view, which loads when the view opens or the browser is idle. */
  screen: LazyScreen<object>;
};

/**
 * The dashboard's views in the order of its sidebar. `/` shows the first one. Each address must also be in the Worker's
 * APP_PATHS, and each view's heading must be an h2.
 */
export const views: readonly View[] = [
  {
    path: '/batches',
    sidebarName: 'Batches Dashboard',
    screen: lazyScreen(() => import('../batches/Batches.tsx').then((code) => code.Batches)),
  },
  {
    path: '/openInvoices',
    sidebarName: 'Open Invoices',
    screen: lazyScreen(() => import('../pay-links/OpenInvoices.tsx').then((code) => code.OpenInvoices)),
  },
  {
    path: '/analytics',
    sidebarName: 'Payment Analytics',
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

/** Returns the dashboard's view at an address, or null if there is none. */
export const viewAt = (path: string): View | null =>
  views.find((view) => view.path === path) ?? (path === '/' ? (views[0] ?? null) : null);
