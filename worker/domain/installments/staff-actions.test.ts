import { asc } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareDesk } from '#tests/support/unit/bare-desk';
import { ACCOUNT } from '#tests/support/unit/rows';
import { eventsOf } from '#tests/support/unit/trail';
import { type Collection, collections } from '#worker/data/schema/invoices';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { decideParts } from './decide-installments.ts';
import { closeParts } from './open-and-close.ts';
import { viewParts } from './view-installments.ts';

type Setup = {
  crmResponse?: Partial<CrmInvoice> | null | 'away';
  collection?: Partial<Collection> | null;
  attempt?: object;
  localStatus?: 'paid';
  takesParts?: boolean;
};
const paidPart = { state: 'approved', amountCents: 2_000 } as const;

/** A collection of $100.00 at a desk. */
async function makeDesk({ crmResponse = {}, collection = {}, attempt, localStatus, takesParts = true }: Setup) {
  const desk = await bareDesk(crmResponse, { attempt, takesParts });
  if (collection) await desk.addCollection('1', collection);
  if (localStatus) await desk.db.$client.prepare(`UPDATE invoices SET local_status = '${localStatus}'`).run();
  const rows = () => desk.db.select().from(collections).orderBy(asc(collections.n));
  return { ...desk, rows };
}

describe('closing installments', () => {
  const close = async (setup: Setup, id = '1') => {
    const desk = await makeDesk(setup);
    return { ...desk, answer: await closeParts(desk.deps, desk.manager, id) };
  };

  it('makes the remaining amount due in one payment, with an event and a log line', async () => {
    const { answer, fields, logs, rows } = await close({ attempt: paidPart });
    expect(answer).toEqual({ kind: 'closed', leftCents: 8_000 });
    expect(await rows()).toMatchObject([
      { n: 1, state: 'closed' },
      { n: 2, state: 'open', baseCents: 8_000, minCents: 8_000, maxParts: 1, paidBeforeCents: 2_000, openedBy: 4 },
    ]);
    expect(await eventsOf(ACCOUNT)).toMatchObject([
      {
        action: 'parts.closed',
        subjectId: '1',
        before: '{"collection":1,"paidCents":2000}',
        after: '{"collection":2,"baseCents":8000}',
      },
    ]);
    expect([logs, fields]).toEqual([['parts-closed'], [{ accountId: ACCOUNT, userId: 4, invoiceId: '1' }]]);
  });

  it.each<[string, Setup, number]>([
    ['in full, if nothing was paid', {}, 1],
    ['in one part, if an earlier collection was paid', { collection: { paidBeforeCents: 1 } }, 2],
    ['in one part, if a part was voided', { attempt: { ...paidPart, state: 'voided' } }, 2],
    ['in one part, if its base differs from the CRM’s balance', { collection: { crmBalanceCents: 9_000 } }, 2],
  ])('leaves the invoice due %s', async (_title, setup, count) => {
    const { answer, invoiceRow, rows } = await close(setup);
    expect(answer.kind).toBe('closed');
    expect(await rows()).toHaveLength(count);
    expect((await invoiceRow())?.partBaseCents === null).toBe(count === 1);
  });

  it.each<[string, Setup, string, string]>([
    ['its id is invalid', {}, '!', 'not-found'],
    ['it is unknown', {}, '5', 'not-found'],
    ['it is not in installments', { collection: null }, '1', 'not-open'],
    ['it is frozen', { collection: { state: 'frozen' } }, '1', 'not-open'],
    ['it is paid', { localStatus: 'paid' }, '1', 'not-open'],
    ['the outcome of a part is unknown', { attempt: { state: 'unknown' } }, '1', 'not-now'],
  ])('is refused when %s', async (_title, setup, id, kind) => {
    const { answer, logs } = await close(setup, id);
    expect(answer).toEqual({ kind });
    expect(logs).toEqual([]);
  });
});

describe('a staff decision on the amount owed', () => {
  const frozenCollection = { state: 'frozen' } as const;
  const decide = async (setup: Setup, verdict: 'contains' | 'lacks', owedShown: number, id = '1') => {
    const desk = await makeDesk({ collection: frozenCollection, attempt: paidPart, ...setup });
    return { ...desk, answer: await decideParts(desk.deps, desk.manager, id, { verdict, owedShown }) };
  };

  it('opens the next collection with that amount, with an event and a log line', async () => {
    const { answer, fields, logs, rows } = await decide(
      { crmResponse: { balanceCents: 9_000, billedCents: 9_500 } },
      'lacks',
      7_000,
    );
    expect(answer).toEqual({ kind: 'decided', owedCents: 7_000 });
    expect((await rows())[1]).toMatchObject({
      n: 2,
      baseCents: 7_000,
      minCents: 1_000,
      maxParts: 11,
      paidBeforeCents: 2_000,
      openedBy: 4,
      openedAt: NOW,
      crmBalanceCents: 9_000,
      crmBilledCents: 9_500,
      state: 'open',
    });
    expect(await eventsOf(ACCOUNT, 'parts.decided')).toMatchObject([
      {
        subjectId: '1',
        before: '{"collection":1,"paidCents":2000}',
        after: '{"collection":2,"baseCents":7000,"verdict":"lacks","crmCents":9000}',
      },
    ]);
    expect([logs, fields]).toEqual([['parts-decided'], [{ accountId: ACCOUNT, userId: 4, invoiceId: '1' }]]);
  });

  it('ends the installments when nothing more is owed and the CRM agrees', async () => {
    const { answer, rows } = await decide({ crmResponse: { balanceCents: 0 } }, 'contains', 0);
    expect(answer).toEqual({ kind: 'decided', owedCents: 0 });
    expect(await rows()).toHaveLength(1);
  });

  it.each<[string, Setup, 'contains' | 'lacks', number, string]>([
    ['the invoice is unknown to the CRM', { crmResponse: null }, 'contains', 0, 'not-found'],
    ['the CRM does not answer', { crmResponse: 'away' }, 'contains', 0, 'crm-unavailable'],
    ['it is open', { collection: {}, crmResponse: {} }, 'lacks', 8_000, 'not-frozen'],
    ['it is not in installments', { collection: null }, 'lacks', 8_000, 'not-frozen'],
    ['it was paid', { localStatus: 'paid' }, 'lacks', 8_000, 'not-frozen'],
    ['the amount cannot be read', { crmResponse: { balanceCents: null } }, 'contains', 0, 'amount-unreadable'],
    ['the CRM shows another amount', { crmResponse: { balanceCents: 9_000 } }, 'contains', 9_001, 'changed'],
    ['our payments cover it', { crmResponse: { balanceCents: 2_000 } }, 'lacks', 0, 'nothing-left'],
    ['our payments exceed it', { crmResponse: { balanceCents: 1_999 } }, 'lacks', -1, 'nothing-left'],
    ['the outcome of a part is unknown', { attempt: { state: 'unknown' } }, 'contains', 10_000, 'not-now'],
  ])('is refused when %s', async (_title, setup, verdict, owedShown, kind) => {
    const { answer, logs } = await decide(setup, verdict, owedShown);
    expect(answer.kind).toBe(kind);
    expect(logs).not.toContain('parts-decided');
  });

  it.each(['!', '5'])('is refused for an unknown invoice: %s', async (id) => {
    expect((await decide({}, 'contains', 0, id)).answer).toEqual({ kind: 'not-found' });
  });

  it('accepts an amount of one cent', async () => {
    expect((await decide({ crmResponse: { balanceCents: 1 } }, 'contains', 1)).answer.kind).toBe('decided');
  });
});

describe('the staff view of an invoice in installments', () => {
  const view = async (setup: Setup, id = '1') => {
    const desk = await makeDesk(setup);
    return viewParts(desk.deps, desk.manager, id);
  };
  const fullPaymentView = {
    state: 'whole',
    base: null,
    paid: '0.00',
    left: null,
    deposit: null,
    range: null,
    only: null,
  };

  it.each(['!', '5'])('is empty for an unknown invoice: %s', async (id) => {
    expect(await view({}, id)).toBeNull();
  });

  it.each<[string, Setup]>([
    ['was never opened', { collection: null }],
    ['is closed', { collection: { state: 'closed' } }],
    ['is paid', { localStatus: 'paid' }],
  ])('shows an invoice due in one payment when it %s', async (_title, setup) => {
    expect(await view(setup)).toEqual({ is_on: true, ...fullPaymentView, decision: null });
  });

  it('shows the paid and the remaining amount across all collections', async () => {
    expect(await view({ attempt: paidPart, collection: { paidBeforeCents: 500, depositCents: 1_500 } })).toEqual({
      is_on: true,
      state: 'open',
      base: '105.00',
      paid: '20.00',
      left: '85.00',
      deposit: null,
      only: null,
      range: { least: '10.00', most: '75.00' },
      decision: null,
    });
  });

  it('shows a deposit until the first installment is paid, and no range for the last one', async () => {
    expect(await view({ takesParts: false, collection: { depositCents: 1_500, maxParts: 1 } })).toMatchObject({
      is_on: false,
      deposit: '15.00',
      range: null,
    });
  });

  it('shows the only amount allowed while an unconfirmed installment of today may still be charged', async () => {
    expect(await view({ attempt: { state: 'not_charged', amountCents: 700, settledAt: NOW - 1 } })).toMatchObject({
      only: '7.00',
    });
  });

  it.each<[string, Setup['crmResponse'], object | null]>([
    [
      'with the amount owed under each verdict',
      { balanceCents: 9_000 },
      { crm: '90.00', ours: '20.00', contains: '90.00', lacks: '70.00' },
    ],
    ['without amounts while the CRM does not answer', 'away', null],
    ['without amounts if the CRM no longer has it', null, null],
  ])('requests a decision on a frozen invoice, %s', async (_title, crmResponse, decision) => {
    expect(await view({ crmResponse, attempt: paidPart, collection: { state: 'frozen' } })).toMatchObject({
      state: 'frozen',
      decision,
    });
  });
});
