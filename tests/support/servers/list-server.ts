import type { InvoiceItem, ListedCustomer } from '#shared/contracts/lists/lists';
import { answerCalls, type Call, type Caller } from './answer-calls.ts';

/** A list of any size at its real path, which a test can put into any state. */
export type ListServer = {
  /** Requested URLs, oldest first. */
  calls: URL[];
  state: 'answers' | 'stale' | 'copying' | 'refuses' | 'unreachable' | 'signed-out';
  /** If set, answers wait until it resolves. */
  hold: Promise<void> | null;
  copiedCount: number;
};

type Source<Row> = {
  path: string;
  rows: Row[];
  words(row: Row): string;
  fields: Record<string, (row: Row) => string | number>;
  envelope(rows: Row[]): unknown;
};

const AS_OF = '2026-03-04T10:41:00Z';

async function serve<Row>(caller: Caller, source: Source<Row>): Promise<ListServer> {
  const server: ListServer = { calls: [], state: 'answers', hold: null, copiedCount: 12_400 };
  await answerCalls(
    caller,
    ({ pathname }) => pathname === source.path,
    async (call) => {
      server.calls.push(call.url);
      await server.hold;
      await answer(call, source, server);
    },
  );
  return server;
}

async function answer<Row>(call: Call, source: Source<Row>, server: ListServer): Promise<void> {
  const error = (status: number, code: string, message: string) =>
    call.fulfill({ status, json: { error: { code, message } } });
  if (server.state === 'unreachable') return call.abort();
  if (server.state === 'signed-out') return error(401, 'unauthorized', 'Please log in again.');
  if (server.state === 'refuses') return error(503, 'crm_down', 'The CRM does not answer. Please try again.');

  const query = call.url.searchParams;
  const rows = selectRows(source, query);
  const size = Number(query.get('size') ?? 100);
  const page = Number(query.get('page') ?? 1);
  const pages = Math.max(1, Math.ceil(rows.length / size));
  if (query.get('format') === 'csv') {
    const lines = rows.map((row) => Object.values(source.fields).map((read) => read(row)));
    return call.fulfill({ contentType: 'text/csv; charset=utf-8', body: lines.join('\r\n') });
  }
  return call.fulfill({
    json: source.envelope(rows.slice((page - 1) * size, page * size)),
    headers: {
      'x-total-count': String(rows.length),
      'x-page': String(page),
      'x-page-count': String(pages),
      'x-data-as-of': AS_OF,
      ...(page < pages ? { 'x-next-cursor': `after-${page}` } : {}),
      ...(page > 1 ? { 'x-previous-cursor': `before-${page}` } : {}),
      ...(server.state === 'stale' ? { 'x-data-stale': 'true' } : {}),
      ...(server.state === 'copying' ? { 'x-copying': `${server.copiedCount}/100000` } : {}),
    },
  });
}

function selectRows<Row>({ rows, words, fields }: Source<Row>, query: URLSearchParams): Row[] {
  const sort = query.get('sort') ?? '';
  const field = fields[sort.replace(/^-/, '')];
  const q = (query.get('q') ?? '').toLowerCase();
  const selected = rows.filter(
    (row) =>
      Object.entries(fields).every(([name, read]) => isWithin(read(row), query.get(name))) &&
      words(row).toLowerCase().includes(q),
  );
  if (!field) return selected;
  const direction = sort.startsWith('-') ? -1 : 1;
  return selected.sort((a, b) => (field(a) < field(b) ? -direction : field(a) > field(b) ? direction : 0));
}

function isWithin(value: string | number, filter: string | null): boolean {
  if (!filter) return true;
  const [from, to] = filter.split('..');
  if (to === undefined) return filter.split(',').includes(String(value));
  const as = (end: string) => (typeof value === 'number' ? Number(end) : end);
  return (!from || value >= as(from)) && (!to || value <= as(to));
}

const STATUSES = ['open', 'paid', 'open', 'draft', 'submitted', 'refunded', 'voided', 'returned'];
const NAMES = ['Marta Núñez', 'Ada Okafor', 'Li Wei', 'Jonas Brandt', 'Priya Raman'];
const COMPANIES = ['Núñez Studio LLC', 'Okafor & Sons', '', 'Brandt Maschinenbau und Apparatetechnik Gesellschaft mbH'];
/** On the second page of ten invoices, no text needs a second line. */
const SHORT = 'Brandt Maschinenbau'.length;

/** Invoice number `at`; all its values follow from the number. */
export function makeInvoice(at: number): InvoiceItem {
  const status = STATUSES[at % STATUSES.length] ?? '';
  const billed = at === 1 ? '9999999.99' : ((at * 3719) % 200_000) / 100 + 12;
  const day = new Date(Date.UTC(2026, 2, 4) - at * 86_400_000).toISOString();
  return {
    id: String(90_412 + at),
    properties: {
      hs_number: at === 2 ? 'INV-1040-a-number-that-somebody-has-made-far-too-long-for-any-cell' : `INV-${1042 - at}`,
      hs_amount_billed: Number(billed).toFixed(2),
      hs_balance_due: status === 'open' ? Number(billed).toFixed(2) : '0.00',
      hs_due_date: at === 3 ? null : day.slice(0, 10),
      hs_createdate: day,
      hs_lastmodifieddate: day,
      hs_invoice_status: status,
      hs_currency: 'USD',
    },
    crm_status: status,
    refunded: '0.00',
    part_paid: '0.00',
    is_undecided: false,
    customer_name: NAMES[at % NAMES.length] ?? '',
    customer_id: '',
    company_name: (COMPANIES[at % COMPANIES.length] ?? '').slice(0, at >= 10 && at < 20 ? SHORT : undefined),
  };
}

export const serveInvoices = (caller: Caller, count: number): Promise<ListServer> =>
  serve<InvoiceItem>(caller, {
    path: '/api/invoices',
    rows: Array.from({ length: count }, (_, at) => makeInvoice(at)),
    words: ({ properties, customer_name, company_name }) => `${properties.hs_number} ${customer_name} ${company_name}`,
    fields: {
      id: ({ id }) => Number(id),
      hs_number: ({ properties }) => properties.hs_number,
      hs_amount_billed: ({ properties }) => Number(properties.hs_amount_billed),
      hs_balance_due: ({ properties }) => Number(properties.hs_balance_due),
      hs_due_date: ({ properties }) => properties.hs_due_date ?? '',
      hs_createdate: ({ properties }) => properties.hs_createdate ?? '',
      hs_lastmodifieddate: ({ properties }) => properties.hs_lastmodifieddate ?? '',
      hs_invoice_status: ({ properties }) => properties.hs_invoice_status,
    },
    envelope: (rows) => rows,
  });

export const serveCustomers = (caller: Caller, count: number): Promise<ListServer> =>
  serve<ListedCustomer>(caller, {
    path: '/api/customers',
    rows: Array.from({ length: count }, (_, at) => {
      const [firstname = '', lastname = ''] = (NAMES[at % NAMES.length] ?? '').split(' ');
      const name = `${lastname} ${at}`;
      const company = COMPANIES[at % COMPANIES.length] ?? '';
      const email =
        at % 7 === 3 ? '' : `${firstname.toLowerCase()}.${at}@a-rather-long-domain-name-of-a-clinic.example`;
      const phone = `(317) 555-${String(1000 + at)}`;
      return {
        id: String(at),
        properties: { firstname, lastname: name, email, phone, company },
        owed: at % 3 === 0 ? '0.00' : `${at}12.40`,
        has_unreadable: false,
        first_due: at % 3 === 1 ? '2099-12-16' : null,
        last_paid_at: at % 4 === 0 ? null : '2026-03-01T15:48:00.000Z',
      };
    }),
    words: ({ properties }) => Object.values(properties).join(' '),
    fields: {
      name: ({ properties }) => `${properties.firstname} ${properties.lastname}`,
      email: ({ properties }) => properties.email,
      phone: ({ properties }) => properties.phone,
      company: ({ properties }) => properties.company,
      owed: ({ owed }) => Number(owed),
      last_paid: ({ last_paid_at }) => last_paid_at ?? '',
    },
    envelope: (results) => ({ data: { results } }),
  });
