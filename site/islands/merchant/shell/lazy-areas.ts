import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { may } from '../parts/app-view.ts';
import { topLinks } from '../parts/navigation.ts';
import { views } from './views.ts';

const loadAccount = () => import('../account/account.tsx');

export const account = lazyScreen(() => loadAccount().then((code) => code.Account));
export const accountMenu = lazyScreen(() => loadAccount().then((code) => code.AccountMenu));
/** Where its code cannot be loaded nothing opens, and the next press tries again. */
export const switchPerson = () =>
  void loadAccount()
    .then((code) => code.switchPerson())
    .catch(() => undefined);

const loadFinding = () => import('../finding/finding.ts');

/** What can be gone to without opening anything first. */
const places = () => [
  ...views.flatMap(({ entry: name, path }) => (name ? [{ name, path }] : [])),
  ...topLinks.filter(({ right }) => may(right)),
];

/** Where its code cannot be loaded nothing opens, and the next press tries again. */
export const openPalette = () =>
  void loadFinding()
    .then((code) => code.openPalette(places(), switchPerson))
    .catch(() => undefined);

/** Keys, and the places that the palette offers again. */
export const listenToKeys = () =>
  void loadFinding()
    .then((code) => code.listen(() => openPalette()))
    .catch(() => undefined);
