import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';

/** Two texts side by side: its code comes when the first two are compared. */
export const compare = lazyScreen(() => import('./CompareDialog.tsx').then((code) => code.CompareDialog));

export const NOT_LOADED = 'The comparison could not be loaded. Check your connection, then try again.';
