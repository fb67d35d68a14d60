import type { Approval } from '#shared/contracts/staff/proof';

/** A refund requested by Tom that waits for a second person. */
export const sampleApproval = (fields: Partial<Approval> = {}): Approval => ({
  id: 'a1',
  state: 'waiting',
  kind: 'refund',
  payment_id: 'p1',
  invoice_id: '90412',
  invoice_number: 'INV-1042',
  customer: 'Marta Núñez',
  amount: '184.00',
  reason: 'Billed twice',
  asked_by: 'Tom Abara',
  asked_at: '2026-03-04T15:42:00Z',
  ends_at: '2099-03-11T15:42:00Z',
  decided_by: null,
  decided_at: null,
  decision_note: '',
  is_yours_to_decide: false,
  is_yours_to_withdraw: false,
  ...fields,
});
