import { pageSizes } from '../../../../shared/contracts/list-values.ts';
import type { ListQuery } from './list-view.ts';

/** How a list begins, and which filters it has: what differs from it stands in the page's address. */
export type ListDefaults = {
  sort: string;
  sorts: readonly string[];
  filters: readonly string[];
  /** Whether a filter can be set to this; left out: to anything. */
  canFilter?(name: string, value: string): boolean;
};

const DEFAULT_SIZE = pageSizes[0];
const WHOLE = /^[1-9]\d{0,6}$/;

/** What an address asks for; what it says wrongly is passed over. */
export function readAddress(search: string, { sort, sorts, filters, canFilter }: ListDefaults): ListQuery {
  const asked = new URLSearchParams(search);
  const text = (name: string) => asked.get(name)?.trim() ?? '';
  const size = pageSizes.find((choice) => String(choice) === text('size'));
  return {
    page: WHOLE.test(text('page')) ? Number(text('page')) : 1,
    size: size ?? DEFAULT_SIZE,
    sort: sorts.includes(text('sort').replace(/^-/, '')) ? text('sort') : sort,
    q: text('q'),
    filters: Object.fromEntries(
      filters
        .map((name) => [name, text(name)] as const)
        .filter(([name, value]) => value && (canFilter?.(name, value) ?? true)),
    ),
  };
}

/** The parameters that stand for what is looked at; without `defaults` all of them, as the server is asked. */
export function writeAddress({ page, size, sort, q, filters }: ListQuery, defaults?: ListDefaults): string {
  const said = new URLSearchParams();
  if (page !== 1 || !defaults) said.set('page', String(page));
  if (size !== DEFAULT_SIZE || !defaults) said.set('size', String(size));
  if (sort && sort !== defaults?.sort) said.set('sort', sort);
  if (q) said.set('q', q);
  for (const [name, value] of Object.entries(filters)) if (value) said.set(name, value);
  return said.toString();
}

/** A search that is being typed is one step; everything else can be gone back from. */
export const isSmallStep = (from: ListQuery, to: ListQuery): boolean => from.q !== to.q && from.q !== '' && to.q !== '';
