import { pageSizes } from '#shared/contracts/list-values';
import type { ListQuery } from './list-view.ts';

/** A list's defaults and its filters; only differences from them are in the page's address. */
export type ListDefaults = {
  sort: string;
  sorts: readonly string[];
  filters: readonly string[];
  /** Whether a filter accepts this value; left out: any. */
  canFilter?(name: string, value: string): boolean;
};

const DEFAULT_SIZE = pageSizes[0];
const WHOLE = /^[1-9]\d{0,6}$/;

/** Reads a list's state from an address; invalid values are ignored. */
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

/** The parameters of a list's state; without `defaults` all of them, as the server expects. */
export function writeAddress({ page, size, sort, q, filters }: ListQuery, defaults?: ListDefaults): string {
  const said = new URLSearchParams();
  if (page !== 1 || !defaults) said.set('page', String(page));
  if (size !== DEFAULT_SIZE || !defaults) said.set('size', String(size));
  if (sort && sort !== defaults?.sort) said.set('sort', sort);
  if (q) said.set('q', q);
  for (const [name, value] of Object.entries(filters)) if (value) said.set(name, value);
  return said.toString();
}

/** A search that is being typed is one step; any other change can be undone with the back button. */
export const isSmallStep = (from: ListQuery, to: ListQuery): boolean => from.q !== to.q && from.q !== '' && to.q !== '';
