import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import type { Mailing, MailingInvoice } from '#shared/contracts/payments/pay-links';
import { answerCalls, type Caller } from './answer-calls.ts';
import { makeOpenInvoice, owedOf } from './open-invoices-server.ts';

export const overdueRows = (count: number, more: (at: number) => Partial<OpenInvoiceItem> = () => ({})) =>
  Array.from({ length: count }, (_, at) =>
    makeOpenInvoice(at, {
      status: 'open',
      crm_status: 'open',
      due_date: '2026-01-02',
      amount_due: '100.00',
      ...more(at),
    }),
  );

/** Answers the list with these rows and what stands over them, so that no other test's invoices are mailed; all else is the product's. */
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
      const [at, size] = ['page', 'size'].map((name) => Number(url.searchParams.get(name))) as [number, number];
      const shown = rows.slice((at - 1) * size, at * size);
      const pages = String(Math.ceil(rows.length / size));
      const headers = { 'x-total-count': String(rows.length), 'x-page': String(at), 'x-page-count': pages };
      return fulfill({ json: shown, headers });
    },
  );
}

/** Stands in for the clinic's clock: the test says what has become of each link. */
export async function serveMailings(caller: Caller) {
  const server = {
    mailing: null as Mailing | null,
    asked: [] as string[],
    tell: (states: Partial<MailingInvoice>[], more: Partial<Mailing> = {}) => {
      if (!server.mailing) throw new Error('nothing was asked for');
      const invoices = server.mailing.invoices.map((one, at) => ({ ...one, ...states[at] }));
      server.mailing = { ...server.mailing, starts_in_ms: 0, ...more, invoices };
    },
  };
  await answerCalls(
    caller,
    ({ pathname }) => pathname.startsWith('/api/mailings'),
    (call) => {
      server.asked.push(call.method);
      if (call.method === 'POST') {
        const { id, invoices } = call.sent<{ id: string; invoices: string[] }>();
        const at = new Date().toISOString();
        const rows = invoices.map((one) => ({
          id: one,
          number: `INV-${1042 - (Number(one) - 90_412)}`,
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
        const left = { state: 'left-out' as const, why: 'stopped' as const };
        const states = server.mailing?.invoices.map(({ state }) => (state === 'waiting' ? left : {})) ?? [];
        server.tell(states, { is_over: true, is_stopped: true });
      }
      return call.fulfill({ json: { mailing: server.mailing } });
    },
  );
  return server;
}
