import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { hasRight } from '../common/app-view.ts';
import { topLinks } from '../common/navigation.ts';
import { views } from './views.ts';

const loadAccount = () => import('../account/account.tsx');

export const account = lazyScreen(() => loadAccount().then((code) => code.Account));
export const accountMenu = lazyScreen(() => loadAccount().then((code) => code.AccountMenu));
/** If the code cannot be loaded, nothing opens and the next click tries again. */
export const switchPerson = () =>
  void loadAccount()
    .then((code) => code.switchPerson())
    .catch(() => undefined);

const loadFinding = () => import('../finding/finding.ts');

/** Returns the screens that users can open from everywhere. */
const palettePlaces = () => [
  ...views.flatMap(({ sidebarName: entry, paletteName: name = entry, path }) => (name ? [{ name, path }] : [])),
  ...topLinks.filter(({ right }) => hasRight(right)),
];

/** If the code cannot be loaded, nothing opens and the next click tries again. */
export const openPalette = () =>
  void loadFinding()
    .then((code) => code.openPalette(palettePlaces(), switchPerson))
    .catch(() => undefined);

/** Starts to listen for keyboard shortcuts, and to record the visited screens for the palette. */
export const listenToKeys = () =>
  void loadFinding()
    .then((code) => code.startListening(() => openPalette()))
    .catch(() => undefined);
