import { useEffect, useState } from 'react';
import type { InvoiceItem, ListedCustomer } from '#shared/contracts/lists/lists';
import { ONLINE_CURRENCY } from '#shared/money';
import { containsWords } from '#shared/text/fold-text';
import { namesFirst } from '#shared/text/names-first';
import { formatListAddress, type ListQuery, readPage } from '#site/islands/ui/table/list-view.ts';
import { api } from '../api/api.ts';
import { moneyOf } from '../common/amount.ts';
import { hasRight } from '../common/app-view.ts';
import { stateOf, statusLabelOf } from '../common/InvoiceStatus.tsx';
import type { MoreIconName } from '../common/MoreIcon.tsx';
import { accountScreens } from '../common/navigation.ts';
import { linkBlockReason, paymentBlockReason } from '../common/online-off.ts';
import { customerPath, customerSource } from '../lists/customers.ts';
import { invoiceSource } from '../lists/invoices.tsx';
import type { ListSource } from '../lists/use-list.ts';

export type NamedPath = { name: string; path: string };

/**
 * An option in the palette. `detail` is secondary text, and `state` is text at the end of the line. `act` runs in place
 * of navigation to the path.
 */
export type Entry = NamedPath & {
  id: string;
  icon: MoreIconName;
  detail?: string;
  state?: string;
  isOwed?: boolean;
  /** The path of the payment form with this customer preselected. */
  payPath?: string;
  act?: () => void;
};

/**
 * The session storage key of the last visited screens. Their titles may contain customers' names, so they must be
 * cleared with the tab and with the user's session.
 */
const PLACES_KEY = 'places';
const MAX_PLACES = 6;

export type Visit = { path: string; name: string };

export function recentPlaces(): Visit[] {
  const stored: unknown = JSON.parse(sessionStorage.getItem(PLACES_KEY) ?? '[]');
  return Array.isArray(stored)
    ? (stored as Visit[]).filter(({ path }) => path !== currentAddress()).slice(0, MAX_PLACES - 1)
    : [];
}

const currentAddress = () => window.location.pathname + window.location.search;

/** Records each visited screen, at the time when it sets the page title. */
export function recordPlaces(): void {
  const record = () => {
    const [name = '', product] = document.title.split(' – ');
    if (!product || !document.querySelector('main h1') || name.endsWith('Error!')) return;
    const others = recentPlaces().filter((visit) => visit.name !== name);
    sessionStorage.setItem(
      PLACES_KEY,
      JSON.stringify([{ path: currentAddress(), name }, ...others].slice(0, MAX_PLACES)),
    );
  };
  const title = document.querySelector('title');
  if (title) new MutationObserver(record).observe(title, { childList: true, characterData: true, subtree: true });
  record();
}

/** The number of results shown per kind. The full list may have more. */
const MAX_RESULTS = 3;
/** The number of rows fetched per kind, from which matches by name are shown first. */
const FETCHED_ROWS = 50;

/** `fullListLinks` contains a link for each kind that has more results than are shown. */
export type Results = { customers: Entry[]; invoices: Entry[]; fullListLinks: Entry[] };

type Kind<Row> = { source: ListSource<Row>; path: string; noun: string; nameOf(row: Row): string };

/** Returns the first results of a kind, matches by name before others, and a link to all results if there are more. */
async function searchKind<Row>({ source, path, noun, nameOf }: Kind<Row>, q: string, signal: AbortSignal) {
  const query: ListQuery = { page: 1, size: FETCHED_ROWS, sort: source.sort, q, filters: {} };
  const answer = await api.call(`${source.path}?${formatListAddress(query)}`, readPage(source.readRows, 1), { signal });
  if (!answer.ok) throw new Error(answer.error.message);
  const { rows, info } = answer.value;
  const total = info.total ?? rows.length;
  const fullListLink: Entry = {
    id: `all-${path}`,
    icon: 'search',
    name: `All ${total.toLocaleString('en-US')}${info.isMore ? '+' : ''} ${noun}`,
    path: `${path}?${new URLSearchParams({ q })}`,
  };
  return {
    rows: namesFirst(rows, nameOf, q).slice(0, MAX_RESULTS),
    fullListLinks: total > MAX_RESULTS ? [fullListLink] : [],
  };
}

/** Returns for example "$588.50, overdue", with the balance of an open invoice or the billed amount of any other. */
function describeAmount({ properties, refunded, part_paid: partPaid, is_undecided: isUndecided }: InvoiceItem): string {
  const { hs_balance_due, hs_amount_billed, hs_currency, hs_invoice_status: status, hs_due_date: due } = properties;
  const word = statusLabelOf(stateOf({ status, balance: hs_balance_due, due, refunded, partPaid, isUndecided }));
  return `${moneyOf(status === 'open' ? hs_balance_due : hs_amount_billed, hs_currency)}, ${word.toLowerCase()}`;
}

const nameOfCustomer = ({ properties: { firstname, lastname } }: ListedCustomer) => `${firstname} ${lastname}`.trim();

function describeOwed({ owed, has_unreadable }: ListedCustomer): string {
  if (Number(owed) === 0) return has_unreadable ? 'owes an unreadable amount' : '';
  return `owes ${has_unreadable ? 'at least ' : ''}${moneyOf(owed, ONLINE_CURRENCY)}`;
}

/** Searches our copy of the CRM. Throws an error with the server's message. */
export async function searchCrmCopy(q: string, signal: AbortSignal): Promise<Results> {
  const [customers, invoices] = await Promise.all([
    searchKind({ source: customerSource, path: '/customers', noun: 'customers', nameOf: nameOfCustomer }, q, signal),
    searchKind(
      { source: invoiceSource, path: '/invoices', noun: 'invoices', nameOf: ({ customer_name }) => customer_name },
      q,
      signal,
    ),
  ]);
  return {
    customers: customers.rows.map((row) => ({
      id: `customer-${row.id}`,
      icon: 'user',
      name: nameOfCustomer(row) || row.properties.email || 'No name',
      detail: row.properties.company,
      state: describeOwed(row),
      path: customerPath(row.id),
      payPath: `/payments?${new URLSearchParams({ customer: row.id })}`,
    })),
    invoices: invoices.rows.map((invoice) => ({
      id: `invoice-${invoice.id}`,
      icon: 'fileText',
      name: invoice.properties.hs_number || invoice.id,
      // Both names are shown, since either may have matched.
      detail: [invoice.customer_name, invoice.company_name].filter(Boolean).join(', '),
      state: describeAmount(invoice),
      path: `/invoice/${encodeURIComponent(invoice.id)}`,
      isOwed: invoice.properties.hs_invoice_status === 'open',
    })),
    fullListLinks: [...customers.fullListLinks, ...invoices.fullListLinks],
  };
}

export type EntryGroup = { name: string; entries: Entry[] };

const screenEntries = (places: NamedPath[]): Entry[] => [
  ...places.map(({ name, path }): Entry => ({ id: `go-${path}`, icon: 'next', name, path })),
  ...accountScreens
    .filter(({ path, right }) => hasRight(right) && !places.some((place) => place.path === path))
    .map(({ name, path }): Entry => ({ id: `go-${path}`, icon: 'next', name, path })),
];

/** Actions that open a form or a screen. None of them moves money or sends anything directly. */
function actionEntriesFor({ customers: [customer], invoices }: Results, onSwitch: () => void): Entry[] {
  const owed = invoices.find(({ isOwed }) => isOwed);
  const canTake = hasRight('collect') && !paymentBlockReason();
  const entries: (Entry | false | undefined)[] = [
    hasRight('collect') &&
      !linkBlockReason() &&
      owed && { ...owed, id: 'do-mail', icon: 'mail', name: `Email payment link for ${owed.name}`, state: '' },
    canTake &&
      customer && {
        id: 'do-for',
        icon: 'calculator',
        name: `Take payment for ${customer.name}`,
        path: customer.payPath ?? '/payments',
        detail: customer.detail ?? '',
      },
    canTake && { id: 'do-pay', icon: 'calculator', name: 'Take Payment', path: '/payments' },
    hasRight('close-batches') && { id: 'do-close', icon: 'check', name: 'Close a batch', path: '/batches' },
    hasRight('administer') && { id: 'do-invite', icon: 'user', name: 'Invite staff', path: '/account/team' },
    { id: 'do-switch', icon: 'user', name: 'Switch person', path: '', act: onSwitch },
  ];
  return entries.filter((entry) => entry !== false && entry !== undefined);
}

export const NO_RESULTS: Results = { customers: [], invoices: [], fullListLinks: [] };

/** Returns the groups of entries for a search. Without a search, these are the last visited screens and the actions. */
export function groupsFor(typed: string, results: Results, places: NamedPath[], onSwitch: () => void): EntryGroup[] {
  const actionEntries = actionEntriesFor(results, onSwitch);
  const groups: EntryGroup[] = typed
    ? [
        { name: 'Customers', entries: results.customers },
        { name: 'Invoices', entries: results.invoices },
        { name: 'Go to', entries: screenEntries(places).filter(({ name }) => containsWords(name, typed)) },
        {
          name: 'Do',
          entries: actionEntries.filter(
            ({ id, name }) => ['do-mail', 'do-for'].includes(id) || containsWords(name, typed),
          ),
        },
        { name: 'All results', entries: results.fullListLinks },
      ]
    : [
        {
          name: 'Last places',
          entries: recentPlaces().map(({ path, name }) => ({ id: `last-${path}`, icon: 'clock', name, path })),
        },
        { name: 'Do', entries: actionEntries },
      ];
  return groups.filter(({ entries }) => entries.length > 0);
}

/** The delay (ms) between the last keystroke and a search. */
const TYPING_PAUSE_MS = 150;

type Search = { query: string; results: Results; failure: string | null };

/** Searches when typing pauses. Until then, it returns the previous results. */
export function usePaletteSearch(typed: string): Search & { isLoading: boolean } {
  const [search, setSearch] = useState<Search>({ query: '', results: NO_RESULTS, failure: null });
  useEffect(() => {
    if (!typed || !navigator.onLine) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      searchCrmCopy(typed, controller.signal).then(
        (results) => !controller.signal.aborted && setSearch({ query: typed, results, failure: null }),
        (cause: unknown) =>
          !controller.signal.aborted &&
          setSearch({ query: typed, results: NO_RESULTS, failure: (cause as Error).message }),
      );
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [typed]);
  if (!typed || !navigator.onLine) return { query: typed, results: NO_RESULTS, failure: null, isLoading: false };
  return { ...search, isLoading: search.query !== typed };
}
