import { accountParts } from '../account/account-parts.ts';
import { may } from '../parts/app-view.ts';
import type { Entry, Place } from './entry.ts';
import { placesBefore } from './places.ts';
import type { Found } from './search.ts';

export type Group = { name: string; entries: Entry[] };

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether each word that was typed begins somewhere in the text. */
export const fits = (text: string, typed: string): boolean =>
  wordsOf(typed).every((word) => text.toLowerCase().includes(word));

const goTo = (places: Place[]): Entry[] => [
  ...places.map(({ name, path }): Entry => ({ id: `go-${path}`, icon: 'next', name, path })),
  ...accountParts
    .filter(({ path, right }) => may(right) && !places.some((place) => place.path === path))
    .map(({ name, path }): Entry => ({ id: `go-${path}`, icon: 'next', name, path })),
];

/** None of these moves money or sends anything: each opens what does. */
function actions({ customers: [customer], invoices }: Found, onSwitch: () => void): Entry[] {
  const owed = invoices.find(({ isOwed }) => isOwed);
  const all: (Entry | false | undefined)[] = [
    may('collect') &&
      owed && { ...owed, id: 'do-mail', icon: 'mail', name: `Email payment link for ${owed.name}`, state: '' },
    may('collect') &&
      customer && {
        ...{ id: 'do-for', icon: 'calculator', name: `Take payment for ${customer.name}` },
        ...{ path: customer.payPath ?? '/payments', beside: customer.beside ?? '' },
      },
    may('collect') && { id: 'do-pay', icon: 'calculator', name: 'Take a payment', path: '/payments' },
    may('close-batches') && { id: 'do-close', icon: 'check', name: 'Close a batch', path: '/batches' },
    may('administer') && { id: 'do-invite', icon: 'user', name: 'Invite staff', path: '/account/team' },
    { id: 'do-switch', icon: 'user', name: 'Switch person', path: '', act: onSwitch },
  ];
  return all.filter((one) => one !== false && one !== undefined);
}

export const NOTHING: Found = { customers: [], invoices: [] };

/** What the palette shows for these words; with none, the last places. */
export function groupsFor(typed: string, found: Found, places: Place[], onSwitch: () => void): Group[] {
  const does = actions(found, onSwitch);
  const groups: Group[] = typed
    ? [
        { name: 'Customers', entries: found.customers },
        { name: 'Invoices', entries: found.invoices },
        { name: 'Go to', entries: goTo(places).filter(({ name }) => fits(name, typed)) },
        { name: 'Do', entries: does.filter(({ id, name }) => ['do-mail', 'do-for'].includes(id) || fits(name, typed)) },
      ]
    : [
        {
          name: 'Last places',
          entries: placesBefore().map(({ path, name }) => ({ id: `last-${path}`, icon: 'clock', name, path })),
        },
        { name: 'Do', entries: does },
      ];
  return groups.filter(({ entries }) => entries.length > 0);
}
