import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';

const load = () => import('../account/account.tsx');

export const account = lazyScreen(() => load().then((code) => code.Account));
export const accountMenu = lazyScreen(() => load().then((code) => code.AccountMenu));
/** Where its code cannot be loaded nothing opens, and the next press tries again. */
export const switchPerson = () =>
  void load()
    .then((code) => code.switchPerson())
    .catch(() => undefined);
