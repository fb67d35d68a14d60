import { useEffect, useState } from 'react';
import type { InvoiceItem, ListedCustomer } from '#shared/contracts/lists/lists';
import { ONLINE_CURRENCY } from '#shared/money';
import { containsWords } from '#shared/text/folded';
import { namesFirst } from '#shared/text/names-first';
import { type ListQuery, readPage, writeAddress } from '#site/islands/ui/table/list-view.ts';
import { api } from '../api/api.ts';
import { customerPath, customerSource } from '../lists/customers.ts';
import { invoiceSource } from '../lists/invoices.tsx';
import type { ListSource } from '../lists/use-list.ts';
import { moneyOf } from '../parts/amount.ts';
import { may } from '../parts/app-view.ts';
import { stateOf, wordOf } from '../parts/InvoiceStatus.tsx';
import type { MoreIconName } from '../parts/MoreIcon.tsx';
import { accountParts } from '../parts/navigation.ts';
import { linkBlock, takeBlock } from '../parts/online-off.ts';

export type Place = { name: string; path: string };

/**
 * A line of the palette. `beside`: secondary text; `state`: text at the far end. Without a path, `act` runs in place.
 */
export type Entry = Place & {
  id: string;
  icon: MoreIconName;
  beside?: string;
  state?: string;
  isOwed?: boolean;
  /** The form for a payment, with this customer filled in. */
  payPath?: string;
  act?: () => void;
};

/**
 * In session storage, since titles may contain customers' names: it ends with the tab, and with the person's session.
 */
const PLACES_KEY = 'places';
const MOST_PLACES = 6;

export type Visit = { path: string; name: string };

export function placesBefore(): Visit[] {
  const kept: unknown = JSON.parse(sessionStorage.getItem(PLACES_KEY) ?? '[]');
  return Array.isArray(kept) ? (kept as Visit[]).filter(({ path }) => path !== here()).slice(0, MOST_PLACES - 1) : [];
}

const here = () => window.location.pathname + window.location.search;

/** Records each screen when it sets the page title. */
export function rememberPlaces(): void {
  const remember = () => {
    const [name = '', product] = document.title.split(' – ');
    if (!product || !document.querySelector('main h1') || name.endsWith('Error!')) return;
    const others = placesBefore().filter((one) => one.name !== name);
    sessionStorage.setItem(PLACES_KEY, JSON.stringify([{ path: here(), name }, ...others].slice(0, MOST_PLACES)));
  };
  const title = document.querySelector('title');
  if (title) new MutationObserver(remember).observe(title, { childList: true, characterData: true, subtree: true });
  remember();
}

/** Per kind; the full list has more. */
const MOST_FOUND = 3;
/** Rows read per kind, of which those whose name matches come first. */
const READ = 50;

/** `more`: the lists with all results, for each kind that has more than are shown. */
export type Found = { customers: Entry[]; invoices: Entry[]; more: Entry[] };

type Kind<Row> = { source: ListSource<Row>; at: string; noun: string; nameOf(row: Row): string };

/** The first rows that contain the words, people of that name before others, and the list with all of them. */
async function firstOf<Row>({ source, at, noun, nameOf }: Kind<Row>, q: string, signal: AbortSignal) {
  const query: ListQuery = { page: 1, size: READ, sort: source.sort, q, filters: {} };
  const answer = await api.call(`${source.path}?${writeAddress(query)}`, readPage(source.readRows, 1), { signal });
  if (!answer.ok) throw new Error(answer.error.message);
  const { rows, info } = answer.value;
  const total = info.total ?? rows.length;
  const more: Entry = {
    id: `all-${at}`,
    icon: 'search',
    name: `All ${total.toLocaleString('en-US')}${info.isMore ? '+' : ''} ${noun}`,
    path: `${at}?${new URLSearchParams({ q })}`,
  };
  return {
    rows: namesFirst(rows, nameOf, q).slice(0, MOST_FOUND),
    more: total > MOST_FOUND ? [more] : [],
  };
}

/** "$588.50, overdue": the amount due, or else the amount billed. */
function sumOf({ properties, refunded, part_paid: partPaid, is_undecided: isUndecided }: InvoiceItem): string {
  const { hs_balance_due, hs_amount_billed, hs_currency, hs_invoice_status: status, hs_due_date: due } = properties;
  const word = wordOf(stateOf({ status, balance: hs_balance_due, due, refunded, partPaid, isUndecided }));
  return `${moneyOf(status === 'open' ? hs_balance_due : hs_amount_billed, hs_currency)}, ${word.toLowerCase()}`;
}

const nameOfCustomer = ({ properties: { firstname, lastname } }: ListedCustomer) => `${firstname} ${lastname}`.trim();

function owesOf({ owed, has_unreadable }: ListedCustomer): string {
  if (Number(owed) === 0) return has_unreadable ? 'owes an unreadable amount' : '';
  return `owes ${has_unreadable ? 'at least ' : ''}${moneyOf(owed, ONLINE_CURRENCY)}`;
}

/** Searches our copy of the CRM. Throws the server's message. */
export async function find(q: string, signal: AbortSignal): Promise<Found> {
  const [customers, invoices] = await Promise.all([
    firstOf({ source: customerSource, at: '/customers', noun: 'customers', nameOf: nameOfCustomer }, q, signal),
    firstOf(
      { source: invoiceSource, at: '/invoices', noun: 'invoices', nameOf: ({ customer_name }) => customer_name },
      q,
      signal,
    ),
  ]);
  return {
    customers: customers.rows.map((row) => ({
      id: `customer-${row.id}`,
      icon: 'user',
      name: nameOfCustomer(row) || row.properties.email || 'No name',
      beside: row.properties.company,
      state: owesOf(row),
      path: customerPath(row.id),
      payPath: `/payments?${new URLSearchParams({ customer: row.id })}`,
    })),
    invoices: invoices.rows.map((invoice) => ({
      id: `invoice-${invoice.id}`,
      icon: 'fileText',
      name: invoice.properties.hs_number || invoice.id,
      // Both, since either may have matched.
      beside: [invoice.customer_name, invoice.company_name].filter(Boolean).join(', '),
      state: sumOf(invoice),
      path: `/invoice/${encodeURIComponent(invoice.id)}`,
      isOwed: invoice.properties.hs_invoice_status === 'open',
    })),
    more: [...customers.more, ...invoices.more],
  };
}

export type Group = { name: string; entries: Entry[] };

const goTo = (places: Place[]): Entry[] => [
  ...places.map(({ name, path }): Entry => ({ id: `go-${path}`, icon: 'next', name, path })),
  ...accountParts
    .filter(({ path, right }) => may(right) && !places.some((place) => place.path === path))
    .map(({ name, path }): Entry => ({ id: `go-${path}`, icon: 'next', name, path })),
];

/** Actions that open a form or screen. None of them moves money or sends anything directly. */
function actions({ customers: [customer], invoices }: Found, onSwitch: () => void): Entry[] {
  const owed = invoices.find(({ isOwed }) => isOwed);
  const canTake = may('collect') && !takeBlock();
  const all: (Entry | false | undefined)[] = [
    may('collect') &&
      !linkBlock() &&
      owed && { ...owed, id: 'do-mail', icon: 'mail', name: `Email payment link for ${owed.name}`, state: '' },
    canTake &&
      customer && {
        id: 'do-for',
        icon: 'calculator',
        name: `Take payment for ${customer.name}`,
        path: customer.payPath ?? '/payments',
        beside: customer.beside ?? '',
      },
    canTake && { id: 'do-pay', icon: 'calculator', name: 'Take Payment', path: '/payments' },
    may('close-batches') && { id: 'do-close', icon: 'check', name: 'Close a batch', path: '/batches' },
    may('administer') && { id: 'do-invite', icon: 'user', name: 'Invite staff', path: '/account/team' },
    { id: 'do-switch', icon: 'user', name: 'Switch person', path: '', act: onSwitch },
  ];
  return all.filter((one) => one !== false && one !== undefined);
}

export const NOTHING: Found = { customers: [], invoices: [], more: [] };

/** The palette's groups for a search; without one, the last visited screens. */
export function groupsFor(typed: string, found: Found, places: Place[], onSwitch: () => void): Group[] {
  const does = actions(found, onSwitch);
  const groups: Group[] = typed
    ? [
        { name: 'Customers', entries: found.customers },
        { name: 'Invoices', entries: found.invoices },
        { name: 'Go to', entries: goTo(places).filter(({ name }) => containsWords(name, typed)) },
        {
          name: 'Do',
          entries: does.filter(({ id, name }) => ['do-mail', 'do-for'].includes(id) || containsWords(name, typed)),
        },
        { name: 'All results', entries: found.more },
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

const PAUSE_MS = 150;

type Search = { of: string; found: Found; failure: string | null };

/** Search results once the typing pauses; until then, the previous ones. */
export function useFound(typed: string): Search & { isAsking: boolean } {
  const [last, setLast] = useState<Search>({ of: '', found: NOTHING, failure: null });
  useEffect(() => {
    if (!typed || !navigator.onLine) return;
    const call = new AbortController();
    const timer = setTimeout(() => {
      find(typed, call.signal).then(
        (found) => !call.signal.aborted && setLast({ of: typed, found, failure: null }),
        (cause: unknown) =>
          !call.signal.aborted && setLast({ of: typed, found: NOTHING, failure: (cause as Error).message }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      call.abort();
    };
  }, [typed]);
  if (!typed || !navigator.onLine) return { of: typed, found: NOTHING, failure: null, isAsking: false };
  return { ...last, isAsking: last.of !== typed };
}
