import { setTimeout as wait } from 'node:timers/promises';
import type { ListedPayment, PaymentListReply } from '#shared/contracts/payments/payment-list';
import { answerCalls, type Caller } from './answer-calls.ts';

export const paymentOf = (fields: Partial<ListedPayment> = {}): ListedPayment => ({
  id: 'txn-1',
  payment_id: 'p1',
  status: 'paid',
  amount: '184.00',
  currency: 'USD',
  counted: '184.00',
  at: '2026-03-04T15:42:00.000Z',
  day: '2026-03-04',
  invoice: { id: '1042', number: 'INV-1042' },
  customer: { id: '7', name: 'Marta Ruiz' },
  payer: '',
  method: 'card',
  wallet: '',
  card: 'Visa 1111',
  terminal: 'Front desk 1',
  terminal_id: 'front-1',
  by: 'Dana Whitfield',
  batch_id: '7',
  can_go_back: true,
  waiting: null,
  ...fields,
});

/** Answers every query of the payment list with these rows after `slowMs`. Returns the queries, oldest first. */
export async function servePayments(
  caller: Caller,
  payments: ListedPayment[],
  fields: Partial<PaymentListReply> = {},
  slowMs = 0,
): Promise<URLSearchParams[]> {
  const queries: URLSearchParams[] = [];
  await answerCalls(
    caller,
    ({ pathname }) => pathname === '/api/payments',
    async ({ url, fulfill }) => {
      queries.push(url.searchParams);
      await wait(slowMs);
      if (url.searchParams.get('format') === 'csv')
        return fulfill({ contentType: 'text/csv; charset=utf-8', body: '"Date"\r\n' });
      const json: PaymentListReply = {
        payments,
        period: { from: '2026-02-03', to: '2026-03-04' },
        totals: {
          payments: { count: 2, amount: '255.10' },
          voided: 0,
          returned: 0,
          refunds: { count: 1, amount: '-38.40' },
          corrections: 0,
          net: '216.70',
          on_its_way: { count: 0, amount: '0.00' },
        },
        unknown: { count: 0, amount: '0.00' },
        ...fields,
      };
      return fulfill({ json, headers: { 'x-total-count': String(payments.length), 'x-page-count': '1' } });
    },
  );
  return queries;
}
