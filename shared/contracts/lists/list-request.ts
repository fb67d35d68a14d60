import * as z from 'zod/mini';
import { listLimits } from '#shared/limits';
import { typedCents } from '#shared/money';
import { type ListCursor, readCursor, viewName } from '../list-cursor.ts';
import { customerSortFields, customerStatuses, invoiceSortFields, openInvoiceSortFields } from './list-values.ts';

/** The parameters that one list accepts. */
export type ListRules = {
  sorts: readonly string[];
  order: string;
  statusField: string | null;
  /** If omitted, any status of the CRM. */
  statuses?: readonly string[];
  ranges: Record<string, 'day' | 'money'>;
  hasContact: boolean;
  hasOpen: boolean;
};

export const invoiceRules: ListRules = {
  sorts: invoiceSortFields,
  order: '-hs_createdate',
  statusField: 'hs_invoice_status',
  ranges: { hs_due_date: 'day', hs_amount_billed: 'money', hs_balance_due: 'money' },
  hasContact: false,
  hasOpen: false,
};
export const openInvoiceRules: ListRules = {
  sorts: openInvoiceSortFields,
  order: '-due_date',
  statusField: 'status',
  ranges: { due_date: 'day', amount_due: 'money' },
  hasContact: true,
  hasOpen: false,
};
export const customerRules: ListRules = {
  sorts: customerSortFields,
  order: 'name',
  statusField: 'owed',
  statuses: customerStatuses,
  ranges: {},
  hasContact: false,
  hasOpen: true,
};

type Bound = string | number | null;
export type ListRequest = {
  page: number;
  size: number;
  sort: string;
  isDescending: boolean;
  q: string;
  statuses: string[];
  ranges: { field: string; from: Bound; to: Bound }[];
  contactId: string | null;
  hasOpenInvoice: boolean;
  cursor: ListCursor | null;
  format: 'json' | 'csv';
};

const whole = (most: number) =>
  z.pipe(z.pipe(z.string().check(z.regex(/^\d{1,8}$/)), z.transform(Number)), z.number().check(z.gte(1), z.lte(most)));

const Statuses = z.pipe(
  z.string().check(z.regex(/^[a-z][a-z_-]{0,31}(,[a-z][a-z_-]{0,31}){0,19}$/)),
  z.transform((text) => [...new Set(text.split(','))].sort()),
);

const Common = z.object({
  page: z.optional(whole(10_000_000)),
  size: z._default(whole(listLimits.rows), listLimits.rows),
  q: z._default(z.string().check(z.trim(), z.maxLength(listLimits.words)), ''),
  cursor: z.optional(z.string().check(z.refine((text) => readCursor(text) !== null))),
  contact: z.optional(z.string().check(z.regex(/^\d{1,20}$/))),
  open: z.optional(z.literal('1')),
  format: z._default(z.enum(['json', 'csv']), 'json'),
});

function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Parses one end of a range; undefined if malformed. */
function end(text: string, kind: 'day' | 'money'): Bound | undefined {
  if (text === '') return null;
  return kind === 'day' ? (isDay(text) ? text : undefined) : (typedCents(text) ?? undefined);
}

/** Parses `from..to` with either end open, or one value for both ends. */
function readRange(text: string, kind: 'day' | 'money'): { from: Bound; to: Bound } | null {
  const [first = '', last = first, ...more] = text.split('..');
  const [from, to] = [end(first, kind), end(last, kind)];
  if (from === undefined || to === undefined || more.length > 0 || (from === null && to === null)) return null;
  return { from, to };
}

/** Parses the parameters of a list, or returns the names of invalid ones. Empty parameters are ignored. */
export function readListRequest(rules: ListRules, query: URLSearchParams): ListRequest | { fields: string[] } {
  const given = Object.fromEntries([...query].filter(([, value]) => value !== ''));
  const wrong = new Set(Object.keys(given).filter((name) => query.getAll(name).length > 1));

  const common = Common.safeParse(given);
  for (const { path } of common.error?.issues ?? []) wrong.add(String(path[0]));
  const sort = given.sort ?? rules.order;
  const field = sort.replace(/^-/, '');
  if (!rules.sorts.includes(field)) wrong.add('sort');
  const status = rules.statusField && given[rules.statusField];
  // Skip zod without a filter, the most frequent request: a failed parse costs more than all other work.
  const statuses = status ? Statuses.safeParse(status) : null;
  const isKnown = (one: string) => rules.statuses?.includes(one) ?? true;
  if (statuses && !(statuses.success && statuses.data.every(isKnown))) wrong.add(rules.statusField ?? '');
  const ranges: ListRequest['ranges'] = [];
  for (const [name, kind] of Object.entries(rules.ranges)) {
    const text = given[name];
    if (text === undefined) continue;
    const range = readRange(text, kind);
    if (range) ranges.push({ field: name, ...range });
    else wrong.add(name);
  }
  if (!common.success || wrong.size > 0) return { fields: [...wrong] };

  const { page, size, q, cursor, contact, open, format } = common.data;
  const request = {
    page: page ?? 1,
    size,
    sort: field,
    isDescending: sort.startsWith('-'),
    q,
    statuses: statuses?.data ?? [],
    ranges,
    contactId: (rules.hasContact && contact) || null,
    hasOpenInvoice: rules.hasOpen && open === '1',
    cursor: null,
    format,
  };
  return withCursor(request, page, cursor);
}

/** Adds the cursor, which is only an optimization: a cursor of another list or page is ignored. */
function withCursor(request: ListRequest, page: number | undefined, text: string | undefined): ListRequest {
  const found = text === undefined ? null : readCursor(text);
  if (!found || found.view !== viewName(request) || (page ?? found.cursor.page) !== found.cursor.page) return request;
  return { ...request, page: found.cursor.page, cursor: found.cursor };
}
