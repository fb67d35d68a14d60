import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareClinic } from '#tests/support/unit/bare-clinic';
import { ACCOUNT } from '#tests/support/unit/rows';
import { eventsOf } from '#tests/support/unit/trail';
import { type CollectionState, findCollectionState } from '#worker/data/installments/collections';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { expectedBalance, freezeAsShown, freezeIfChanged, matchesCrm } from './freeze-changed-amount.ts';

const collectionState = { crmBalanceCents: 9_000, movedCents: 2_000, crmBilledCents: 9_500 } as CollectionState;
const crmInvoice = { status: 'open', currency: 'USD', balanceCents: 7_000, billedCents: 9_500 } as CrmInvoice;
const MINUTE = 60_000;

describe('comparing a CRM invoice with its state when the collection was opened', () => {
  it('expects the opening balance minus our records', () => {
    expect(expectedBalance(collectionState)).toBe(7_000);
    expect(matchesCrm(collectionState, crmInvoice)).toBe(true);
  });

  it.each<Partial<CrmInvoice>>([
    { status: 'paid' },
    { currency: 'CAD' },
    { balanceCents: 7_001 },
    { balanceCents: null },
    { billedCents: 9_501 },
  ])('finds a change with %j', (overrides) => {
    expect(matchesCrm(collectionState, { ...crmInvoice, ...overrides })).toBe(false);
  });
});

/** An invoice in parts with a part of $20.00. */
async function makeInvoiceInParts(collection = {}, record?: object) {
  const clinic = await bareClinic({ state: 'approved', amountCents: 2_000 });
  await clinic.addCollection('1', collection);
  if (record) await clinic.addRecord('a1', '1', { amountCents: 2_000, ...record });
  const find = () => findCollectionState(clinic.db, { accountId: ACCOUNT, invoiceId: '1', collection: 1 }, NOW);
  const row = () => clinic.db.query.invoices.findFirst();
  const check = async (crmOverrides: Partial<CrmInvoice>, overrides = {}) => {
    const invoice = await row();
    if (!invoice) throw new Error('there is no invoice');
    const crm = {
      status: 'open',
      currency: 'USD',
      balanceCents: 10_000,
      billedCents: 10_000,
      ...crmOverrides,
    } as CrmInvoice;
    const isFrozen = await freezeIfChanged(clinic.deps, { ...invoice, ...overrides }, crm);
    return [isFrozen, (await find())?.state];
  };
  return { ...clinic, check, find };
}

describe('an invoice in installments checked against the CRM', () => {
  it('stays open when the CRM shows the same amount', async () => {
    const { check } = await makeInvoiceInParts();
    expect(await check({})).toEqual([false, 'open']);
  });

  it('is frozen with a system event and a log line when the CRM shows another amount', async () => {
    const { check, fields, find, logs } = await makeInvoiceInParts();
    expect(await check({ balanceCents: 7_000, status: 'open' })).toEqual([true, 'frozen']);
    expect(await find()).toMatchObject({ frozenBalanceCents: 7_000, frozenAt: NOW });
    expect([logs, fields]).toEqual([['parts-frozen'], [{ accountId: ACCOUNT, invoiceId: '1' }]]);
    expect(await eventsOf(ACCOUNT)).toMatchObject([
      {
        action: 'parts.frozen',
        actorKind: 'system',
        subjectKind: 'invoice',
        subjectId: '1',
        before: '{"balanceCents":10000}',
        after: '{"balanceCents":7000,"status":"open"}',
      },
    ]);
  });

  it.each([
    ['frozen', true],
    ['closed', false],
  ] as const)('stays %s when the CRM shows another amount', async (state, isFrozen) => {
    const { check, logs } = await makeInvoiceInParts({ state });
    expect(await check({ balanceCents: 7_000 })).toEqual([isFrozen, state]);
    expect(logs).toEqual([]);
  });

  it('stays open after a changed amount once it was paid here', async () => {
    const { check } = await makeInvoiceInParts();
    expect(await check({ balanceCents: 7_000 }, { localStatus: 'paid' })).toEqual([false, 'open']);
  });

  it('stays open after a changed amount within a minute of a record', async () => {
    const { check } = await makeInvoiceInParts({}, { doneAt: NOW - MINUTE + 1 });
    expect(await check({ balanceCents: 7_000 })).toEqual([false, 'open']);
  });

  it('is frozen by a changed amount a minute after a record', async () => {
    const { check } = await makeInvoiceInParts({}, { doneAt: NOW - MINUTE });
    expect(await check({ balanceCents: 7_000 })).toEqual([true, 'frozen']);
  });

  it('stays open after a changed amount while a record is under way', async () => {
    const { check } = await makeInvoiceInParts({}, { state: 'sent', effect: '', doneAt: null });
    expect(await check({ balanceCents: 7_000 })).toEqual([false, 'open']);
  });

  it('stays open after a changed amount when a record was written since the read', async () => {
    const { addRecord, deps, find, logs } = await makeInvoiceInParts();
    const earlierState = await find();
    if (!earlierState) throw new Error('there is no collection');
    await addRecord('a1', '1', { doneAt: NOW - MINUTE, sentAt: NOW - MINUTE });
    expect(await freezeAsShown(deps, earlierState, crmInvoice)).toBe(false);
    expect(logs).toEqual([]);
  });
});
