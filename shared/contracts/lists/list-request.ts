import * as z from 'zod/mini';
import { listLimits } from '#shared/limits';
import { typedCents } from '#shared/money';
import { type ListCursor, readCursor, viewName } from '../list-cursor.ts';
import { customerSortFields, customerStatuses, invoiceSortFields, openInvoiceSortFields } from './list-values.ts';

/** The parameters that one list accepts. */
export type ListRules = {
  sorts: readonly string[];
  defaultSort: string;
  statusField: string | null;
  /** If omitted, any CRM status is accepted. */
  statuses?: readonly string[];
  ranges: Record<string, 'day' | 'money'>;
  hasContact: boolean;
  hasOpen: boolean;
  /** Accepts `terminal`: the id of a card reader, or `online`. */
  hasTerminal?: true;
};

export const invoiceRules: ListRules = {
  sorts: invoiceSortFields,
  defaultSort: '-hs_createdate',
  statusField: 'hs_invoice_status',
  ranges: { hs_due_date: 'day', hs_amount_billed: 'money', hs_balance_due: 'money' },
  hasContact: false,
  hasOpen: false,
};
export const openInvoiceRules: ListRules = {
  sorts: openInvoiceSortFields,
  defaultSort: '-due_date',
  statusField: 'status',
  ranges: { due_date: 'day', amount_due: 'money' },
  hasContact: true,
  hasOpen: false,
};
export const customerRules: ListRules = {
  sorts: customerSortFields,
  defaultSort: 'name',
  statusField: 'owed',
  statuses: customerStatuses,
  ranges: {},
  hasContact: false,
  hasOpen: true,
};

type RangeBound = string | number | null;
export type ListRequest = {
  page: number;
  size: number;
  sort: string;
  isDescending: boolean;
  q: string;
  statuses: string[];
  ranges: { field: string; from: RangeBound; to: RangeBound }[];
  contactId: string | null;
  hasOpenInvoice: boolean;
  /** The card reader whose payments are listed, `online` for those by pay link, or null for all. */
  terminal: string | null;
  cursor: ListCursor | null;
  format: 'json' | 'csv';
};

const wholeNumberUpTo = (max: number) =>
  z.pipe(z.pipe(z.string().check(z.regex(/^\d{1,8}$/)), z.transform(Number)), z.number().check(z.gte(1), z.lte(max)));

const Statuses = z.pipe(
  z.string().check(z.regex(/^[a-z][a-z_-]{0,31}(,[a-z][a-z_-]{0,31}){0,19}$/)),
  z.transform((text) => [...new Set(text.split(','))].sort()),
);

const CommonParams = z.object({
  page: z.optional(wholeNumberUpTo(10_000_000)),
  size: z._default(wholeNumberUpTo(listLimits.rows), listLimits.rows),
  q: z._default(z.string().check(z.trim(), z.maxLength(listLimits.words)), ''),
  cursor: z.optional(z.string().check(z.refine((text) => readCursor(text) !== null))),
  contact: z.optional(z.string().check(z.regex(/^\d{1,20}$/))),
  open: z.optional(z.literal('1')),
  terminal: z.optional(z.string().check(z.maxLength(listLimits.words))),
  format: z._default(z.enum(['json', 'csv']), 'json'),
});

function isDay(text: string): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** Parses one end of a range; undefined if malformed. */
function parseBound(text: string, kind: 'day' | 'money'): RangeBound | undefined {
  if (text === '') return null;
  return kind === 'day' ? (isDay(text) ? text : undefined) : (typedCents(text) ?? undefined);
}

/** Parses `from..to`, where either end may be empty, or one value for both ends. */
function readRange(text: string, kind: 'day' | 'money'): { from: RangeBound; to: RangeBound } | null {
  const [first = '', last = first, ...extra] = text.split('..');
  const [from, to] = [parseBound(first, kind), parseBound(last, kind)];
  if (from === undefined || to === undefined || extra.length > 0 || (from === null && to === null)) return null;
  return { from, to };
}

/** Parses the parameters of a list, or returns the names of invalid ones. Empty parameters are ignored. */
export function readListRequest(rules: ListRules, query: URLSearchParams): ListRequest | { fields: string[] } {
  const params = Object.fromEntries([...query].filter(([, value]) => value !== ''));
  const invalidFields = new Set(Object.keys(params).filter((name) => query.getAll(name).length > 1));

  const parsedCommon = CommonParams.safeParse(params);
  for (const { path } of parsedCommon.error?.issues ?? []) invalidFields.add(String(path[0]));
  const sort = params.sort ?? rules.defaultSort;
  const field = sort.replace(/^-/, '');
  if (!rules.sorts.includes(field)) invalidFields.add('sort');
  const status = rules.statusField && params[rules.statusField];
  // Most requests have no status filter. Skip zod for them: a failed parse costs more than all other work.
  const statuses = status ? Statuses.safeParse(status) : null;
  const isKnown = (value: string) => rules.statuses?.includes(value) ?? true;
  if (statuses && !(statuses.success && statuses.data.every(isKnown))) invalidFields.add(rules.statusField ?? '');
  const ranges: ListRequest['ranges'] = [];
  for (const [name, kind] of Object.entries(rules.ranges)) {
    const text = params[name];
    if (text === undefined) continue;
    const range = readRange(text, kind);
    if (range) ranges.push({ field: name, ...range });
    else invalidFields.add(name);
  }
  if (!parsedCommon.success || invalidFields.size > 0) return { fields: [...invalidFields] };

  const { page, size, q, cursor, contact, open, terminal, format } = parsedCommon.data;
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
    terminal: (rules.hasTerminal && terminal) || null,
    cursor: null,
    format,
  };
  return withCursor(request, page, cursor);
}

/** Adds the cursor unless it is from another list or page. It only saves work, so it can be ignored. */
function withCursor(request: ListRequest, page: number | undefined, text: string | undefined): ListRequest {
  const parsed = text === undefined ? null : readCursor(text);
  if (!parsed || parsed.view !== viewName(request) || (page ?? parsed.cursor.page) !== parsed.cursor.page)
    return request;
  return { ...request, page: parsed.cursor.page, cursor: parsed.cursor };
}
