import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import type { MailElsewhereBody } from '#shared/contracts/lists/mail-request';
import type { Owed } from '#shared/contracts/payments/pay-links';
import { decimalFromCents } from '#shared/money';
import { answerCalls, type Call, type Caller } from './answer-calls.ts';

const NAMES = ['Marta Núñez', 'Ada Okafor', 'Li Wei', 'Jonas Brandt', 'Priya Raman'];
const COMPANIES = [
  ...['Núñez Studio LLC', '', 'Okafor & Sons'],
  'Brandt and Daughters Heating, Cooling and Plumbing of Greater Indianapolis',
];

/** Row number `at`; every third one is paid. */
export function makeOpenInvoice(at: number, fields: Partial<OpenInvoiceItem> = {}): OpenInvoiceItem {
  const [first_name = '', last_name = ''] = (NAMES[at % NAMES.length] ?? '').split(' ');
  const status = at % 3 === 1 ? 'paid' : 'open';
  return {
    id: `pay${at}`.padEnd(22, '0'),
    crm_id: String(90_412 + at),
    invoice_number: `INV-${1042 - at}`,
    company: { name: COMPANIES[at % COMPANIES.length] ?? '' },
    customer: { first_name, last_name },
    customer_id: '',
    amount_due: at === 2 ? '9999999.99' : (((at * 3719) % 90_000) / 100 + 184).toFixed(2),
    currency: 'USD',
    due_date: at === 3 ? '2026-03-04' : '2099-12-24',
    status,
    crm_status: status,
    refunded: '0.00',
    part_paid: '0.00',
    is_undecided: false,
    email: `payer${at}@example.test`,
    last_email: null,
    never_emailed: true,
    opened_at: null,
    bad_address: null,
    next_reminder_at: null,
    link_ends_at: '2099-12-31T00:00:00.000Z',
    ...fields,
  };
}

/** Sort order: open invoices first, the longest overdue at the top. */
const placeOf = ({ status }: OpenInvoiceItem) => ['open', 'submitted', 'paid'].indexOf(status);
const dueOf = ({ due_date }: OpenInvoiceItem) => due_date ?? '9999';

const DAY_MS = 86_400_000;

/** The totals above these rows, as the server computes them. */
export function owedOf(rows: OpenInvoiceItem[]): Owed {
  const day = new Date().toISOString().slice(0, 10);
  const dayBefore = (days: number) => new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
  const cents = ({ currency, amount_due }: OpenInvoiceItem) =>
    currency === 'USD' ? Math.round(Number(amount_due) * 100) : 0;
  const sum = (items: OpenInvoiceItem[]) => ({
    count: items.length,
    amount: decimalFromCents(items.reduce((all, row) => all + cents(row), 0)),
  });
  const open = rows.filter(({ status }) => status === 'open');
  const overdue = open.filter(({ due_date }) => due_date !== null && due_date < day);
  const paid = rows.filter(({ status }) => status === 'paid');
  const age = (days: string, from: string | null, to: string) => ({
    ...sum(overdue.filter(({ due_date }) => (due_date ?? '') <= to && (due_date ?? '') >= (from ?? ''))),
    days,
    from,
    to,
  });
  return {
    day,
    overdue: {
      ...sum(overdue),
      ages: [
        age('1-30', dayBefore(30), dayBefore(1)),
        age('31-60', dayBefore(60), dayBefore(31)),
        age('61+', null, dayBefore(61)),
      ],
    },
    due: sum(open.filter((row) => !overdue.includes(row))),
    paid: sum(paid),
    all: rows.length,
    customers: { all: 0, owes: 0, overdue: 0 },
  };
}

export type OpenInvoicesServer = {
  rows: OpenInvoiceItem[];
  writes: string[];
  refusal: { on: RegExp; status: number; code: string; message: string } | null;
  headers: Record<string, string>;
  hold: Promise<void> | null;
  mail: 'sent' | 'queued';
  owed(rows: OpenInvoiceItem[]): Owed | Promise<Owed>;
};

const HANDLED_PATHS = /^\/api\/(owed|invoices\/(getOpenInvoices|send\w+\/\w+|\w+\/(link|emails)))$/;

/** Answers the calls of the open invoices view. Accepted mails appear in their rows. */
export async function serveOpenInvoices(caller: Caller, rows: OpenInvoiceItem[]): Promise<OpenInvoicesServer> {
  const server: OpenInvoicesServer = {
    rows,
    writes: [],
    refusal: null,
    headers: {},
    hold: null,
    mail: 'sent',
    owed: owedOf,
  };
  await answerCalls(
    caller,
    ({ pathname }) => HANDLED_PATHS.test(pathname),
    async (call) => {
      await server.hold;
      await answer(call, server);
    },
  );
  return server;
}

async function answer(call: Call, server: OpenInvoicesServer): Promise<void> {
  const { url } = call;
  const request = `${call.method} ${url.pathname.replace('/api/invoices', '')}`;
  const { refusal } = server;
  if (refusal?.on.test(request)) {
    return call.fulfill({ status: refusal.status, json: { error: { code: refusal.code, message: refusal.message } } });
  }
  if (url.pathname === '/api/owed') return call.fulfill({ json: await server.owed(server.rows) });
  if (request.endsWith('/getOpenInvoices')) {
    const q = (url.searchParams.get('q') ?? '').toLowerCase();
    const rows = server.rows
      .filter(({ invoice_number }) => invoice_number.toLowerCase().includes(q))
      .sort((a, b) => placeOf(a) - placeOf(b) || dueOf(a).localeCompare(dueOf(b)));
    const headers = { 'x-total-count': String(rows.length), 'x-page': '1', 'x-page-count': '1', ...server.headers };
    return call.fulfill({ json: rows, headers });
  }
  server.writes.push(request);
  const row = server.rows.find(({ crm_id }) => request.includes(crm_id));
  if (!row) return call.fulfill({ status: 404, json: { error: { code: 'not-found', message: 'No invoice found' } } });
  if (request.endsWith('/link')) {
    row.id = 'replaced'.padEnd(22, '0');
    return call.fulfill({
      json: { id: row.id, url: `https://x.example/make/payment/${row.id}`, ends_at: row.link_ends_at },
    });
  }
  const mailBody = request.endsWith('/emails') ? call.readBody<MailElsewhereBody>() : null;
  const kind = mailBody?.kind ?? (request.includes('sendPaymentLink') ? 'pay-link' : 'receipt');
  const at = new Date().toISOString();
  row.last_email = { kind, at, delivery: null, told_at: null };
  return call.fulfill({ json: { status: server.mail, to: mailBody?.to ?? row.email, sent_at: at } });
}
