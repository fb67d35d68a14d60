import type { Batch, BatchTransaction } from '#shared/contracts/payments/batches';
import type { ReconciliationView } from '#shared/contracts/payments/reconciliation';
import { answerCalls, type Caller } from './answer-calls.ts';

export const view: ReconciliationView = {
  checked_at: '2026-03-04T07:00:00.000Z',
  failing_since: null,
  to_check: { count: 6, amount: '780.80' },
  differences: [
    {
      id: '90001',
      verdict: 'only-gateway',
      type: 'SALE',
      at: '2026-03-03T15:00:00.000Z',
      amount: '50.00',
      ours: null,
      card: 'XXXXXXXXXXXX1111',
      payer: 'Walk In',
      customer: '',
      invoice: null,
    },
    {
      id: '90002',
      verdict: 'amount-differs',
      type: 'SALE',
      at: '2026-03-03T14:00:00.000Z',
      amount: '18.40',
      ours: '184.00',
      card: 'XXXXXXXXXXXX1111',
      payer: 'M Nunez',
      customer: 'Marta Núñez',
      invoice: { id: '90412', number: 'INV-1042' },
    },
    {
      id: '90003',
      verdict: 'only-ours',
      type: '',
      at: '2026-03-02T14:00:00.000Z',
      amount: null,
      ours: '71.10',
      card: '',
      payer: '',
      customer: 'Ada Okafor',
      invoice: { id: '90413', number: 'INV-1043' },
    },
  ],
  undecided: [
    {
      payment_id: 'p1',
      invoice_id: '90414',
      invoice_number: 'INV-1044',
      customer: 'Li Wei',
      amount: '120.00',
      since: '2026-03-01T14:00:00.000Z',
      held_for: 'not_charged',
    },
  ],
  unknown: [
    {
      payment_id: 'p6',
      invoice_id: '90416',
      invoice_number: 'INV-1046',
      customer: 'Noor Haddad',
      amount: '187.15',
      at: '2026-03-04T14:10:00.000Z',
      card: '',
      terminal: '',
    },
  ],
  look_alikes: [
    ['14:31', '14:36'].map((time, at) => ({
      payment_id: `alike${at}`,
      invoice_id: `9042${at}`,
      invoice_number: `INV-105${at}`,
      customer: 'Ivy Whitfield',
      amount: '76.10',
      at: `2026-03-04T${time}:00.000Z`,
      card: 'Visa 1111',
      terminal: 'Front desk 1',
    })),
  ],
  frozen_parts: [],
  undecided_reversals: [
    {
      reversal_id: 'r1',
      kind: 'refund',
      invoice_id: '90415',
      invoice_number: 'INV-1045',
      customer: 'Ada Okafor',
      amount: '71.10',
      paid: '184.00',
      given_back: '12.90',
      reason: 'Billed twice',
      by: 'ana@maple.example',
      since: '2026-03-01T15:00:00.000Z',
      why: 'The card provider shows another amount for it: $61.10.',
    },
  ],
  resolved: [
    {
      id: 'd1',
      about: 'void',
      invoice_number: 'INV-1040',
      amount: '20.00',
      verdict: 'not-happened',
      note: 'Called the provider',
      by: 'ana@maple.example',
      at: '2026-02-28T14:00:00.000Z',
    },
  ],
};

/** Answers the calls of the reconciliation screen. Tests may change the returned `state` at any time. */
export async function serveChecks(caller: Caller, initialView: ReconciliationView = view) {
  const resolutions: unknown[] = [];
  const state = { view: initialView, refuses: false, isDown: false };
  await answerCalls(
    caller,
    ({ pathname }) => ['/api/matching', '/api/look-alikes'].includes(pathname) || pathname.endsWith('/resolution'),
    (call) => {
      if (call.url.pathname === '/api/matching') {
        const message = 'Please try again.';
        if (state.isDown) return call.fulfill({ status: 503, json: { error: { code: 'unavailable', message } } });
        return call.fulfill({ json: state.view });
      }
      resolutions.push(call.readBody());
      if (call.url.pathname === '/api/look-alikes') {
        state.view = { ...state.view, look_alikes: [] };
        return call.fulfill({ json: { message: '2 payments set aside as not duplicates.' } });
      }
      const isPayment = call.url.pathname.startsWith('/api/payments/');
      if (state.refuses) {
        const message = isPayment
          ? 'Clearent shows money taken for this payment. Void or refund it there, then press Check now.'
          : 'Clearent shows a refund.';
        return call.fulfill({ status: 409, json: { error: { code: 'conflict', message } } });
      }
      if (isPayment) {
        state.view = { ...state.view, undecided: [] };
        return call.fulfill({ json: { verdict: 'charged', message: 'Invoice INV-1044 is paid.' } });
      }
      state.view = { ...state.view, undecided_reversals: [] };
      const message = 'The refund of $71.10 on INV-1045 is booked.';
      return call.fulfill({ json: { verdict: 'happened', message } });
    },
  );
  return { resolutions, state };
}

export const DESK = '70141';

/** The provider's batch whose transactions are those of `view.differences`. */
export const batch: Batch = {
  id: '5',
  status: 'OPEN',
  terminal_name: 'Front desk 1',
  'terminal-id': DESK,
  'date-opened': '2026-03-03T13:00:00.000Z',
  settled: null,
  'confirmation-code': null,
  'sales-count': '2',
  'sales-total': '60.40',
  'refund-count': '0',
  'refund-total': '0.00',
  'net-amount': '60.40',
};
export const transactions = view.differences
  .filter(({ amount }) => amount !== null)
  .map(({ id, amount, type, at, card, payer, invoice }): BatchTransaction => {
    const [first = '', last = ''] = payer.split(' ');
    const paid = { customer_id: '', offer: null };
    return {
      id,
      amount,
      type,
      result: 'APPROVED',
      'card-type': 'VISA',
      card,
      created: at,
      voided: false,
      billing: { 'first-name': first, 'last-name': last },
      payment: invoice && { id, invoice_id: invoice.id, invoice_number: invoice.number, ...paid },
    };
  });

/** Answers the calls of that batch's screen; `match` is the result of the comparison with the ledger. */
export async function serveBatch(caller: Caller, match: { answer: object }): Promise<void> {
  await answerCalls(
    caller,
    ({ pathname }) => pathname.startsWith('/api/terminals'),
    ({ url, fulfill }) => {
      if (url.pathname.endsWith('/match')) return fulfill({ json: match.answer });
      if (url.pathname.endsWith('/batches')) return fulfill({ json: { batch: [batch] } });
      const isSingle = url.pathname.includes('/batches/');
      return fulfill({ json: isSingle ? transactions : [{ terminal_id: DESK, terminal_name: 'Front desk 1' }] });
    },
  );
}
