import { setTimeout as wait } from 'node:timers/promises';
import type { CustomerReply } from '#shared/contracts/lists/customers';
import { addDays } from '#shared/text/local-day';
import { answerCalls, type Caller } from './answer-calls.ts';

/** A due date well in the future. */
export const DUE_DATE = addDays(new Date().toISOString().slice(0, 10), 20);

type Invoice = CustomerReply['invoices'][number];
const invoice = (at: number, amount: string, created: string, due: string, status = 'paid'): Invoice => ({
  id: String(900 + at),
  properties: {
    hs_number: `INV-${1131 - at}`,
    hs_amount_billed: amount,
    hs_balance_due: status === 'open' ? amount : '0.00',
    hs_due_date: due,
    hs_createdate: `${created}T15:00:00.000Z`,
    hs_lastmodifieddate: `${created}T15:00:00.000Z`,
    hs_invoice_status: status,
    hs_currency: 'USD',
  },
  crm_status: status,
  customer_name: 'Hannah Tran',
  customer_id: '7',
  company_name: 'Sorensen Design Office',
  refunded: status === 'refunded' ? amount : '0.00',
  part_paid: '0.00',
  is_undecided: false,
});

const payment = (at: number, amount: string, day: string): CustomerReply['payments'][number] => ({
  id: `p${at}`,
  kind: 'payment',
  amount,
  currency: 'USD',
  at: `${day}T15:48:00.000Z`,
  how: 'Visa 1111',
  where: 'Front desk 2',
  invoice_id: String(900 + at),
  invoice_number: `INV-${1131 - at}`,
});

export const HANNAH: CustomerReply = {
  customer: {
    id: '7',
    properties: {
      firstname: 'Hannah',
      lastname: 'Tran',
      email: 'hannah.tran@example.com',
      phone: '(317) 555-0213',
      company: 'Sorensen Design Office',
    },
  },
  address: '418 Maple Street, Indianapolis, IN 46204',
  copied_at: '2026-11-24T19:16:00.000Z',
  owed: [
    {
      currency: 'USD',
      amount: '588.50',
      invoices: 1,
      unreadable: 0,
      overdue_amount: '0.00',
      overdue_invoices: 0,
      first_due: DUE_DATE,
    },
  ],
  on_its_way: '0.00',
  invoices: [
    invoice(0, '588.50', '2026-11-21', DUE_DATE, 'open'),
    invoice(1, '52.55', '2026-11-17', '2026-12-17', 'refunded'),
    invoice(2, '588.50', '2026-11-10', '2026-12-10'),
    invoice(3, '941.75', '2026-10-05', '2026-11-04'),
  ],
  invoice_count: 4,
  paid: {
    amount: '1530.25',
    currency: 'USD',
    payments: 3,
    given_back: 1,
    last_at: '2026-11-19T15:48:00.000Z',
    usual_days: 2,
  },
  payments: [
    {
      id: 'r',
      kind: 'refund',
      amount: '-52.55',
      currency: 'USD',
      at: '2026-11-20T14:15:00.000Z',
      how: 'Visa 1111',
      where: 'Front desk 2',
      invoice_id: '901',
      invoice_number: 'INV-1130',
    },
    payment(1, '52.55', '2026-11-19'),
    payment(2, '588.50', '2026-11-12'),
    payment(3, '941.75', '2026-10-07'),
  ],
  mails: [
    {
      id: 'm',
      kind: 'receipt',
      state: 'sent',
      at: '2026-11-19T15:49:00.000Z',
      to: 'hannah.tran@example.com',
      delivery: 'delivered',
      invoice_id: '901',
      invoice_number: 'INV-1130',
    },
  ],
  since: '2026-05-12T15:00:00.000Z',
};

/** Answers the call of Hannah's page, /customers/7; null: with an error 503. */
export const serveCustomer = (caller: Caller, reply: CustomerReply | null = HANNAH, slowMs = 0): Promise<void> =>
  answerCalls(
    caller,
    ({ pathname }) => pathname === '/api/customers/7',
    async ({ fulfill }) => {
      await wait(slowMs);
      if (reply) return fulfill({ json: reply });
      await fulfill({ status: 503, json: { error: { code: 'internal', message: 'Please try again.' } } });
    },
  );
