import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';

/** Few visits meet an outage, so its words come when the browser is idle, or with it. */
export const apiErrorPart = lazyScreen(() => import('./ApiErrorPart.tsx').then((code) => code.ApiErrorPart));
