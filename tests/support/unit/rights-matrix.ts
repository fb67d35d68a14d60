import type { StaffRole } from '#shared/contracts/team-values';

/** What a route of staff asks for: the least role, and whether its person has to have proved lately who they are. */
export type Right = { least: StaffRole; takesProof: boolean };
export type Matrix = Readonly<Record<string, Right>>;

const of = (least: StaffRole, takesProof: boolean, routes: string[]): Matrix =>
  Object.fromEntries(routes.map((row) => [row, { least, takesProof }]));

/**
 * Who may do what, said once more and by hand: the declared routes are compared with it, so a new route, a
 * lesser role or a proof that is not asked for any more is a decision that stands in two places.
 */
export const matrix: Matrix = {
  ...of('reader', false, [
    'GET /api/terminals',
    'GET /api/token/get-merchant',
    'GET /api/token/get-merchant-data',
    'GET /api/token/get-merchant-logs',
    'GET /api/customers',
    'GET /api/customers/:id',
    'GET /api/invoices',
    'GET /api/invoices/getOpenInvoices',
    'GET /api/owed',
    'GET /api/mailings',
    'GET /api/invoices/getCustomer/:id',
    'GET /api/invoices/:id',
    'GET /api/invoices/:id/signature',
    'GET /api/counter-terminals',
    'GET /api/sales/:saleId',
    'GET /api/terminals/:terminalId/batches',
    'GET /api/terminals/:terminalId/batches/:batchId',
    'GET /api/terminals/:terminalId/batches/:batchId/match',
    'GET /api/terminals/:terminalId/closing',
    'GET /api/payments/:id/reversal',
    'GET /api/matching',
    'GET /api/analytics/payments',
    'GET /api/analytics/comparison',
    'GET /api/takings',
    'GET /api/today',
    'GET /api/support-view',
    'GET /api/session/factors',
    'GET /api/session/people',
    'GET /api/sessions',
    'GET /api/account/closing',
    'GET /api/first-hour',
    'GET /api/first-hour/mails',
    'GET /api/invoices/:id/reminders',
    // One's own login, which a reader has too.
    'POST /api/session/proof/options',
    'POST /api/session/proof',
    'POST /api/session/factors/code',
    'POST /api/session/passkeys/options',
    'POST /api/session/passkeys',
    'DELETE /api/session/passkeys/:id',
    'PUT /api/session/pin',
    'DELETE /api/session/pin',
    'POST /api/session/switch',
    'DELETE /api/sessions',
    'GET /api/payment-notices',
    'PUT /api/payment-notices',
    'GET /api/invoices/:id/parts',
    'DELETE /api/sessions/:id',
  ]),
  ...of('desk', false, [
    'POST /api/invoices/:id/link',
    'DELETE /api/invoices/:id/link',
    'DELETE /api/invoices/:id/link/revocation',
    'PUT /api/invoices/:id/signature',
    'DELETE /api/invoices/:id/signature',
    'POST /api/invoices/:id/collect-again',
    'POST /api/invoices/sendPaymentLink/:id',
    'POST /api/mailings',
    'DELETE /api/mailings/:id',
    'POST /api/invoices/sendPaymentSuccessEmail/:id',
    'POST /api/invoices/:id/itemised-receipt',
    'POST /api/terminals/:terminalId/sales',
  ]),
  ...of('manager', false, [
    'PUT /api/terminals/:terminalId/batches/close',
    'GET /api/approvals',
    'POST /api/approvals',
    'POST /api/matching',
    'GET /api/reminders',
    'GET /api/reminders/forecast',
    'POST /api/reminders/test',
    'PUT /api/reminders',
    'PUT /api/invoices/:id/reminders',
    'GET /api/write-back',
    'GET /api/bill-lines',
    'PUT /api/bill-lines',
    'GET /api/payer-language',
    'PUT /api/payer-language',
    'GET /api/parts',
    'PUT /api/parts',
    'PUT /api/invoices/:id/parts',
    'DELETE /api/invoices/:id/parts',
    'POST /api/invoices/:id/parts/decision',
    'PUT /api/write-back/payments/:id',
  ]),
  ...of('manager', true, ['POST /api/payments/:id/reversals', 'POST /api/approvals/:id']),
  ...of('admin', false, [
    'POST /api/token/setup-merchant',
    'POST /api/payments/:id/resolution',
    'POST /api/reversals/:id/resolution',
    'GET /api/audit',
    'GET /api/audit/head',
    'PUT /api/audit/mail',
    'DELETE /api/support-view',
    'GET /api/team',
    'GET /api/account/archive',
    'DELETE /api/account/closing',
    'PUT /api/first-hour',
    'POST /api/first-hour/test-link',
    'PUT /api/write-back',
  ]),
  ...of('admin', true, [
    'PUT /api/token/footer-text',
    'POST /api/team/invitations',
    'PUT /api/team/refund-limit',
    'PUT /api/team/second-person',
    'PATCH /api/team/:id',
    'DELETE /api/team/:id',
    'DELETE /api/team/:id/factors',
    'POST /api/support-view',
    'POST /api/account/archive',
    'GET /api/account/archive/:id/parts/:part',
    'PUT /api/account/closing',
  ]),
};

/** What differs between the matrix and the rights that the Worker has, a line each. */
export function differences(said: Matrix, rights: Matrix): string[] {
  const textOf = (right: Right | undefined) =>
    right ? `${right.least}${right.takesProof ? ' with a proof' : ''}` : 'nobody';
  return [...new Set([...Object.keys(said), ...Object.keys(rights)])]
    .filter((row) => textOf(said[row]) !== textOf(rights[row]))
    .sort()
    .map((row) => `${row}: the matrix says ${textOf(said[row])}, the Worker ${textOf(rights[row])}`);
}

const note = 'Called the provider';

/** Valid bodies, as somebody would send them who may; each other route gets an empty one. */
export const bodies: Readonly<Record<string, object>> = {
  'PUT /api/audit/mail': { weekly: true },
  'PUT /api/token/footer-text': { footer_text: 'Ours' },
  'POST /api/token/setup-merchant': { dbaName: 'Maple Street Dental' },
  'POST /api/payments/:id/reversals': {
    ...{ kind: 'refund', amount: '1.00', reason: 'Twice', requestId: 'press-1234567890' },
  },
  'POST /api/team/invitations': { email: 'eve@x.example', name: 'Eve', role: 'admin' },
  'PUT /api/first-hour': { is_ended: true },
  'POST /api/mailings': { id: '7d4f7c1e-3c1b-4f0e-9a64-1f2b3c4d5e6f', invoices: ['1'] },
  'PUT /api/reminders': { steps: [-3, 0, 7] },
  'PUT /api/payment-notices': { how: 'daily' },
  'PUT /api/write-back': { is_on: true },
  'PUT /api/bill-lines': { is_on: true },
  'PUT /api/payer-language': { language: 'es' },
  'PUT /api/parts': { is_on: true },
  'PUT /api/invoices/:id/parts': { least: '20.00', deposit: null },
  'POST /api/invoices/:id/parts/decision': { verdict: 'contains', owed: '10.00' },
  'PUT /api/write-back/payments/:id': { note: 'Entered by Marta' },
  'POST /api/reminders/test': { when: 'after' },
  'PUT /api/invoices/:id/reminders': { is_excluded: true },
  'PUT /api/team/refund-limit': { refund_limit: '9999.00' },
  'PUT /api/team/second-person': { amount: '500.00' },
  'PATCH /api/team/:id': { role: 'admin' },
  'POST /api/approvals/:id': { decision: 'approve' },
  'POST /api/payments/:id/resolution': { verdict: 'charged', note },
  'POST /api/reversals/:id/resolution': { verdict: 'happened', note },
};
