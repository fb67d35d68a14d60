import { may } from '../parts/app-view.ts';
import { switchPerson } from './account.ts';
import { topLinks } from './top-links.ts';
import { views } from './views.ts';

const load = () => import('../finding/finding.ts');

/** What can be gone to without opening anything first. */
const places = () => [
  ...views.flatMap(({ entry: name, path }) => (name ? [{ name, path }] : [])),
  ...topLinks.filter(({ right }) => may(right)),
];

/** Where its code cannot be loaded nothing opens, and the next press tries again. */
export const openPalette = () =>
  void load()
    .then((code) => code.openPalette(places(), switchPerson))
    .catch(() => undefined);

/** Keys, and the places that the palette offers again. */
export const listenToKeys = () =>
  void load()
    .then((code) => code.listen(() => openPalette()))
    .catch(() => undefined);
