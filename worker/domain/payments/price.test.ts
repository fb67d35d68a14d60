import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareClinic } from '#tests/support/unit/bare-clinic';
import { ACCOUNT } from '#tests/support/unit/rows';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Collection } from '#worker/data/schema/invoices';
import { type Attempt, crmTokens } from '#worker/data/schema/schema';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { type PriceRequest, priceInvoice, readInvoiceFromCrm } from './price.ts';

const MAX = 5_000_000;
const address = { address: '', city: '', state: '', zip: '' };
const crmInvoice: CrmInvoice = {
  id: '1',
  number: 'INV-1',
  status: 'open',
  currency: 'USD',
  balanceCents: 10_000,
  billedCents: 10_000,
  dueDate: null,
  invoiceDate: null,
  paidAt: null,
  createdAt: 1,
  modifiedAt: NOW,
  contactId: '',
  companyId: '',
  contact: { firstName: '', lastName: '', email: '' },
  contactAddress: address,
  contactLanguage: '',
  company: { ...address, name: '' },
};

type Case = { row?: object; crmChanges?: Partial<CrmInvoice>; requested?: Partial<PriceRequest> };

async function price(
  { row = {}, crmChanges = {}, requested = {} }: Case,
  attempt: Partial<Attempt> = {},
  parts?: Partial<Collection>,
) {
  const clinic = await bareClinic(attempt);
  if (parts) await clinic.addCollection('1', parts);
  const stored = await clinic.db.query.invoices.findFirst();
  if (!stored) throw new Error('there is no invoice');
  const request: PriceRequest = { amountShown: undefined, method: 'card', ...requested };
  const answer = await priceInvoice(clinic.deps, { ...stored, ...row }, { ...crmInvoice, ...crmChanges }, request);
  const saved = await clinic.db.query.invoices.findFirst();
  return { ...clinic, answer, saved };
}

describe('the price of an invoice', () => {
  it.each<[string, Case, object]>([
    ['its balance in the CRM', {}, { kind: 'priced', amountCents: 10_000, part: 1 }],
    [
      'the balance that the page has shown',
      { requested: { amountShown: '100.00' } },
      { kind: 'priced', amountCents: 10_000 },
    ],
    ['none if the page has shown another amount', { requested: { amountShown: '100.01' } }, { kind: 'amount-changed' }],
    ['none for a part', { requested: { part: { amount: '50.00' } } }, { kind: 'amount-changed' }],
    ['none once it was paid here', { row: { localStatus: 'paid' } }, { kind: 'already-paid' }],
    [
      'none once it was paid here in parts',
      { row: { localStatus: 'paid', partBaseCents: 5 } },
      { kind: 'already-paid' },
    ],
    ['none while a bank payment is pending', { row: { localStatus: 'submitted' } }, { kind: 'pending' }],
    ['none after a refund', { row: { localStatus: 'refunded' } }, { kind: 'not-payable-online' }],
    ['none if the balance cannot be read', { crmChanges: { balanceCents: null } }, { kind: 'amount-unreadable' }],
    ['none if nothing is owed', { crmChanges: { balanceCents: 0 } }, { kind: 'nothing-to-pay' }],
    ['the maximum', { crmChanges: { balanceCents: MAX } }, { kind: 'priced', amountCents: MAX }],
  ])('is %s', async (_title, testCase, expected) => {
    const { answer, logs } = await price(testCase);
    expect(answer).toMatchObject(expected);
    expect(logs).toEqual([]);
  });

  it('is none above the maximum, with an alert', async () => {
    const { answer, fields, logs } = await price({ crmChanges: { balanceCents: MAX + 1 } });
    expect(answer).toEqual({ kind: 'not-payable-online' });
    expect([logs, fields]).toEqual([['ALERT amount-over-maximum'], [{ accountId: ACCOUNT, invoiceId: '1' }]]);
  });

  it.each([
    ['another amount was shown', { amountShown: '1.00' }],
    ['a part was requested', { part: { amount: '1.00' } }],
  ])('is saved as the stored balance when %s', async (_title, requested) => {
    const { saved } = await price({ crmChanges: { balanceCents: 9_000 }, requested });
    expect(saved?.balanceCents).toBe(9_000);
  });

  it('is not saved as the stored balance when it is charged', async () => {
    expect((await price({ crmChanges: { balanceCents: 9_000 } })).saved?.balanceCents).toBe(10_000);
  });
});

describe('the price of an installment', () => {
  const firstPart: Partial<Attempt> = { state: 'approved', amountCents: 2_000 };
  const part = (amount: string): Case => ({ requested: { part: { amount } } });
  const message = 'Enter $10.00 to $70.00, or $80.00.';

  it.each<[string, Case, Partial<Collection>, object]>([
    ['all that is left', {}, {}, { kind: 'priced', amountCents: 8_000, part: 2 }],
    ['the requested amount', part('50.00'), {}, { kind: 'priced', amountCents: 5_000, part: 2 }],
    ['the smallest part', part('10.00'), {}, { kind: 'priced', amountCents: 1_000 }],
    ['the largest part', part('70.00'), {}, { kind: 'priced', amountCents: 7_000 }],
    ['the full remaining amount, requested as a part', part('80.00'), {}, { kind: 'priced', amountCents: 8_000 }],
    ['none below the smallest part', part('9.99'), {}, { kind: 'part-refused', message }],
    ['none above the largest part', part('70.01'), {}, { kind: 'part-refused', message }],
    ['none for a word', part('ten'), {}, { kind: 'part-refused', message }],
    [
      'none for a word as the last part',
      part('ten'),
      { maxParts: 2 },
      { kind: 'part-refused', message: 'Enter $80.00.' },
    ],
    [
      'only the full remaining amount as the last part',
      part('50.00'),
      { maxParts: 2 },
      { kind: 'part-refused', message: 'Enter $80.00.' },
    ],
    [
      'none if the page has shown another remaining amount',
      { requested: { amountShown: '100.00' } },
      {},
      { kind: 'amount-changed' },
    ],
    [
      'the remaining amount that the page has shown',
      { requested: { amountShown: '80.00' } },
      {},
      { kind: 'priced', amountCents: 8_000 },
    ],
    [
      'none by bank account',
      { requested: { method: 'ach' } },
      {},
      { kind: 'part-refused', message: 'An invoice with partial payments is paid by card.' },
    ],
    ['none while it is frozen', {}, { state: 'frozen' }, { kind: 'frozen' }],
    ['none once it is closed', {}, { state: 'closed' }, { kind: 'amount-changed' }],
    ['none while the CRM shows another amount', { crmChanges: { balanceCents: 9_000 } }, {}, { kind: 'frozen' }],
  ])('is %s', async (_title, testCase, parts, expected) => {
    expect((await price(testCase, firstPart, parts)).answer).toMatchObject(expected);
  });

  it('is none when the collection is unknown', async () => {
    expect((await price({ row: { partBaseCents: 10_000, collection: 9 } }, firstPart, {})).answer).toEqual({
      kind: 'amount-changed',
    });
  });

  it('is none above the maximum, with an alert', async () => {
    const { answer, fields, logs } = await price({}, firstPart, { baseCents: MAX + 2_001 });
    expect(answer).toEqual({ kind: 'not-payable-online' });
    expect([logs, fields]).toEqual([['ALERT amount-over-maximum'], [{ accountId: ACCOUNT, invoiceId: '1' }]]);
  });

  it('can be the maximum', async () => {
    const { answer } = await price({}, firstPart, { baseCents: MAX + 2_000 });
    expect(answer).toMatchObject({ kind: 'priced', amountCents: MAX });
  });

  it.each<[string, object, Partial<CrmInvoice>]>([
    ['is under way', { state: 'sent', effect: '', doneAt: null }, {}],
    ['may explain another amount', { doneAt: NOW - 1 }, { balanceCents: 9_999 }],
  ])('is none while a record in the CRM %s', async (_title, record, crmChanges) => {
    const clinic = await bareClinic(firstPart);
    await clinic.addCollection('1');
    await clinic.addRecord('a1', '1', record);
    const stored = await clinic.db.query.invoices.findFirst();
    if (!stored) throw new Error('there is no invoice');
    const request: PriceRequest = { amountShown: undefined, method: 'card' };
    expect(await priceInvoice(clinic.deps, stored, { ...crmInvoice, ...crmChanges }, request)).toEqual({
      kind: 'crm-unavailable',
    });
  });

  it.each([
    ['20.00', { kind: 'priced', amountCents: 2_000 }],
    [
      '30.00',
      { kind: 'part-refused', message: 'Until tomorrow only $20.00 can be paid, the amount of the last attempt.' },
    ],
  ])('is limited to the amount of an installment released today: %s', async (amount, expected) => {
    const releasedAttempt: Partial<Attempt> = { state: 'not_charged', amountCents: 2_000, settledAt: NOW - 1 };
    expect((await price(part(amount), releasedAttempt, {})).answer).toMatchObject(expected);
  });
});

describe('reading an invoice from the CRM', () => {
  it('requests bill lines when the account shows them, and throws without a connection', async () => {
    const { db, deps } = await bareClinic();
    const token = { accountId: ACCOUNT, accessToken: 'a', refreshToken: 'r', expiresAt: NOW * 2, scopes: '' };
    const [tokens] = await db.insert(crmTokens).values(token).returning();
    deps.sealer = { ...deps.sealer, open: async () => 'opened' };
    const calls: unknown[] = [];
    const getInvoice: typeof deps.crm.getInvoice = async (...args) => {
      calls.push(args);
      return null;
    };
    deps.crm = { ...deps.crm, getInvoice };
    const payable = { tokens, link: { invoiceId: '1' }, account: { showsLines: true } } as unknown as Payable;
    expect(await readInvoiceFromCrm(deps, payable)).toBeNull();
    expect(calls).toEqual([['opened', '1', { lines: true }]]);
    await expect(async () => readInvoiceFromCrm(deps, { ...payable, tokens: null })).rejects.toThrow(/no connection/);
  });
});
