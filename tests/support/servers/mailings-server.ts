import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import type { Mailing, MailingInvoice } from '#shared/contracts/payments/pay-links';
import { answerCalls, type Caller } from './answer-calls.ts';
import { makeOpenInvoice, owedOf } from './open-invoices-server.ts';

export const overdueRows = (count: number, fieldsOf: (at: number) => Partial<OpenInvoiceItem> = () => ({})) =>
  Array.from({ length: count }, (_, at) =>
    makeOpenInvoice(at, {
      status: 'open',
      crm_status: 'open',
      due_date: '2026-01-02',
      amount_due: '100.00',
      ...fieldsOf(at),
    }),
  );

/**
 * Answers the list of open invoices and its totals with these rows, so that no other test's invoices are mailed. All
 * other calls reach the product.
 */
export async function serveOwedList(caller: Caller, rows: OpenInvoiceItem[]) {
  await answerCalls(
    caller,
    ({ pathname }) => pathname === '/api/owed',
    ({ fulfill }) => fulfill({ json: owedOf(rows) }),
  );
  await answerCalls(
    caller,
    ({ pathname }) => pathname === '/api/invoices/getOpenInvoices',
    ({ url, fulfill }) => {
      const [page, size] = ['page', 'size'].map((name) => Number(url.searchParams.get(name))) as [number, number];
      const pageRows = rows.slice((page - 1) * size, page * size);
      const pages = String(Math.ceil(rows.length / size));
      const headers = { 'x-total-count': String(rows.length), 'x-page': String(page), 'x-page-count': pages };
      return fulfill({ json: pageRows, headers });
    },
  );
}

/** Serves mailings in place of the clinic's schedule: the test sets the state of each link through `setStates`. */
export async function serveMailings(caller: Caller) {
  const server = {
    mailing: null as Mailing | null,
    methods: [] as string[],
    setStates: (states: Partial<MailingInvoice>[], fields: Partial<Mailing> = {}) => {
      if (!server.mailing) throw new Error('no mailing was requested');
      const invoices = server.mailing.invoices.map((invoice, at) => ({ ...invoice, ...states[at] }));
      server.mailing = { ...server.mailing, starts_in_ms: 0, ...fields, invoices };
    },
  };
  await answerCalls(
    caller,
    ({ pathname }) => pathname.startsWith('/api/mailings'),
    (call) => {
      server.methods.push(call.method);
      if (call.method === 'POST') {
        const { id, invoices } = call.readBody<{ id: string; invoices: string[] }>();
        const at = new Date().toISOString();
        const rows = invoices.map((invoiceId) => ({
          id: invoiceId,
          number: `INV-${1042 - (Number(invoiceId) - 90_412)}`,
          currency: 'USD',
          state: 'waiting' as const,
          why: null,
          at,
        }));
        server.mailing = {
          id,
          asked_at: at,
          starts_in_ms: 10_000,
          is_over: false,
          is_stopped: false,
          invoices: rows,
        };
      }
      if (call.method === 'DELETE') {
        const leftOut = { state: 'left-out' as const, why: 'stopped' as const };
        const states = server.mailing?.invoices.map(({ state }) => (state === 'waiting' ? leftOut : {})) ?? [];
        server.setStates(states, { is_over: true, is_stopped: true });
      }
      return call.fulfill({ json: { mailing: server.mailing } });
    },
  );
  return server;
}
