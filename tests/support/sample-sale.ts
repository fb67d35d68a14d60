import type { TerminalSale } from '#shared/contracts/payments/terminals';

/** The time at this many minutes past ten on the day of the sample. */
export const at = (minute: number) => new Date(2026, 2, 4, 10, minute).toISOString();
/** A sample terminal sale. */
export const sampleSale = (fields: Partial<TerminalSale> = {}): TerminalSale => ({
  id: 's1',
  terminal_id: '70141',
  terminal_name: 'Front counter 1',
  invoice_id: '902',
  invoice_number: 'INV-1042',
  customer: 'Marta Núñez',
  amount: '184.00',
  currency: 'USD',
  state: 'waiting',
  started_by: 'ana@maple.example',
  is_own: true,
  started_at: at(42),
  ends_by: at(45),
  ended_at: null,
  asked_at: null,
  message: '',
  last_heard: null,
  transaction: null,
  receipt_url: null,
  receipt_to: 'marta@payer.example',
  provider: 'Clearent',
  ...fields,
});
