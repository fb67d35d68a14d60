import { expect, it } from 'vitest';
import { paidElsewhere, unpaidIncrease } from './freeze-changed-amount.ts';

const crmInvoice = (billedCents: number | null, balanceCents: number | null, status = 'open') => ({
  status,
  billedCents,
  balanceCents,
});
const localPayment = (amountCents: number, recordedCents = 0) => ({ amountCents, recordedCents });

it.each([
  ['is not in the CRM, and its amount did not rise', crmInvoice(9_200, 9_200), [localPayment(9_200)], null],
  ['is not in the CRM, and its amount rose', crmInvoice(12_000, 12_000), [localPayment(9_200)], 2_800],
  ['is recorded in the CRM', crmInvoice(12_000, 2_800), [localPayment(9_200, 9_200)], 2_800],
  ['was entered in the CRM by staff', crmInvoice(12_000, 2_800), [localPayment(9_200)], 2_800],
  ['was the remainder of an invoice partly paid in the CRM', crmInvoice(94_000, 64_000), [localPayment(64_000)], null],
  [
    'was the remainder of a partly paid invoice, whose amount rose',
    crmInvoice(96_800, 66_800),
    [localPayment(64_000)],
    2_800,
  ],
  [
    'was the remainder of a partly paid invoice, whose amount fell',
    crmInvoice(93_000, 63_000),
    [localPayment(64_000)],
    null,
  ],
  [
    'was partly entered in the CRM',
    crmInvoice(12_000, 7_400),
    [localPayment(4_600, 4_600), localPayment(4_600)],
    2_800,
  ],
  ['was one half, with the other half paid in the CRM', crmInvoice(18_400, 9_200), [localPayment(9_200)], null],
  ['belongs to an invoice whose amount fell', crmInvoice(8_000, 8_000), [localPayment(9_200)], null],
  ['belongs to an invoice whose balance cannot be read', crmInvoice(12_000, null), [localPayment(9_200)], null],
  ['belongs to an invoice whose billed amount cannot be read', crmInvoice(null, 12_000), [localPayment(9_200)], 2_800],
  [
    'belongs to an invoice that was voided in the CRM',
    crmInvoice(12_000, 12_000, 'voided'),
    [localPayment(9_200)],
    null,
  ],
  ['was never made', crmInvoice(12_000, 12_000), [], null],
  ['was the full billed amount and was entered in the CRM', crmInvoice(9_200, 0), [localPayment(9_200)], null],
  ['is recorded in the CRM, and its amount rose by a cent', crmInvoice(9_201, 1), [localPayment(9_200, 9_200)], 1],
  [
    'was made in two parts, neither recorded in the CRM',
    crmInvoice(12_000, 12_000),
    [localPayment(4_600), localPayment(4_000)],
    3_400,
  ],
  [
    'was made in two parts, both entered in the CRM by staff',
    crmInvoice(12_000, 3_400),
    [localPayment(4_600), localPayment(4_000)],
    3_400,
  ],
  [
    'is recorded in the CRM with more than its amount',
    crmInvoice(12_000, 2_900),
    [localPayment(5_000, 6_000), localPayment(2_900)],
    null,
  ],
])('computes the unpaid increase of an invoice whose payment %s', (_title, invoice, payments, cents) => {
  expect(unpaidIncrease(invoice, payments)).toBe(cents);
});

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
