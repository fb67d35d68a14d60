import { expect, it } from 'vitest';
import { paidElsewhere } from './paid-elsewhere.ts';

const crmInvoice = (billedCents: number | null, balanceCents: number | null, status = 'open') => ({
  status,
  billedCents,
  balanceCents,
});
const localPayment = (amountCents: number, recordedCents = 0) => ({ amountCents, recordedCents });

it.each([
  ['without a payment here', crmInvoice(94_000, 64_000), 30_000, [], 30_000],
  [
    'whose remainder was paid here and not recorded',
    crmInvoice(94_000, 64_000),
    30_000,
    [localPayment(64_000)],
    30_000,
  ],
  [
    'whose remainder was paid here and recorded',
    crmInvoice(94_000, 0, 'paid'),
    94_000,
    [localPayment(64_000, 64_000)],
    30_000,
  ],
  ['that was paid here and entered in the CRM by staff', crmInvoice(9_200, 0, 'paid'), 9_200, [localPayment(9_200)], 0],
  ['that was paid here, entered in the CRM and raised', crmInvoice(12_000, 2_800), 9_200, [localPayment(9_200)], 0],
  ['that was paid only here', crmInvoice(9_200, 9_200), 0, [localPayment(9_200)], 0],
  ['whose paid amount cannot be read', crmInvoice(9_200, 9_200), null, [], null],
  ['whose billed amount cannot be read', crmInvoice(null, 9_200), 9_200, [], null],
  [
    'whose remainder was paid here and entered in the CRM twice',
    crmInvoice(10_000, 0, 'paid'),
    9_000,
    [localPayment(4_000)],
    6_000,
  ],
  [
    'with two payments that are recorded in the CRM',
    crmInvoice(10_000, 1_000),
    9_000,
    [localPayment(4_000, 4_000), localPayment(2_000, 2_000)],
    3_000,
  ],
  [
    'whose paid amount exceeds the remainder after our payments',
    crmInvoice(10_000, 0, 'paid'),
    9_000,
    [localPayment(4_000), localPayment(2_000)],
    4_000,
  ],
  ['whose paid amount is less than we recorded', crmInvoice(10_000, 0, 'paid'), 3_000, [localPayment(4_000, 4_000)], 0],
])('computes the amount paid elsewhere for an invoice %s', (_title, invoice, paidCents, taken, cents) => {
  expect(paidElsewhere({ ...invoice, paidCents }, taken)).toBe(cents);
});
