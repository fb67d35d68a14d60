const note = 'Called the provider';

/** Valid bodies, as somebody would send them who may; each other route gets an empty one. */
export const bodies: Readonly<Record<string, object>> = {
  'PUT /api/audit/mail': { weekly: true },
  'PUT /api/token/footer-text': { footer_text: 'Ours' },
  'POST /api/token/setup-merchant': { dbaName: 'Maple Street Dental' },
  'POST /api/payments/:id/reversals': {
    kind: 'refund',
    amount: '1.00',
    reason: 'Twice',
    requestId: 'press-1234567890',
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
