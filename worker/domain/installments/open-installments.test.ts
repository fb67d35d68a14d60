import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareDesk } from '#tests/support/unit/bare-desk';
import { ACCOUNT } from '#tests/support/unit/rows';
import { eventsOf } from '#tests/support/unit/trail';
import { collections } from '#worker/data/schema/invoices';
import { openParts, type Terms } from './open-and-close.ts';

const terms = (overrides: Partial<Terms> = {}): Terms => ({ minCents: 1_000, deposit: null, ...overrides });

async function openForInvoice(setup: Parameters<typeof bareDesk>, changes: Partial<Terms> = {}, id = '1') {
  const desk = await bareDesk(...setup);
  return { ...desk, answer: await openParts(desk.deps, desk.manager, id, terms(changes)) };
}

describe('opening installments for an invoice', () => {
  it('records the user and the terms, with an event and a log line', async () => {
    const { answer, db, fields, logs } = await openForInvoice([], { deposit: { cents: 2_000 } });
    expect(answer).toEqual({ kind: 'opened', baseCents: 10_000, minCents: 1_000, depositCents: 2_000 });
    expect(await db.select().from(collections)).toEqual([
      {
        accountId: ACCOUNT,
        invoiceId: '1',
        n: 1,
        baseCents: 10_000,
        minCents: 1_000,
        depositCents: 2_000,
        maxParts: 12,
        paidBeforeCents: 0,
        takenBeforeCents: 0,
        crmBalanceCents: 10_000,
        crmBilledCents: 10_000,
        state: 'open',
        openedBy: 4,
        openedAt: NOW,
        frozenAt: null,
        frozenBalanceCents: null,
      },
    ]);
    expect(await eventsOf(ACCOUNT)).toMatchObject([
      {
        action: 'parts.opened',
        subjectId: '1',
        after: '{"collection":1,"baseCents":10000,"minCents":1000,"depositCents":2000}',
      },
    ]);
    expect([logs, fields]).toEqual([['parts-opened'], [{ accountId: ACCOUNT, userId: 4, invoiceId: '1' }]]);
  });

  it('works for an invoice that has never been read', async () => {
    expect((await openForInvoice([], {}, '5')).answer).toMatchObject({ kind: 'opened' });
  });

  it.each<[string, Parameters<typeof bareDesk>, string, object]>([
    ['its id is invalid', [], '!', { kind: 'not-found' }],
    ['the CRM does not have it', [null], '1', { kind: 'not-found' }],
    ['the CRM does not answer', ['away'], '1', { kind: 'crm-unavailable' }],
    ['the account allows no installments', [{}, { takesParts: false }], '1', { kind: 'off' }],
    ['it is paid', [{ status: 'paid' }], '1', { kind: 'not-payable', state: 'paid' }],
    ['its amount cannot be read', [{ balanceCents: null }], '1', { kind: 'not-payable', state: 'amount-unreadable' }],
    ['it is being paid', [{}, { attempt: { state: 'unknown' } }], '1', { kind: 'not-now' }],
  ])('is refused when %s', async (_title, setup, id, expected) => {
    const { answer, db } = await openForInvoice(setup, {}, id);
    expect(answer).toEqual(expected);
    expect(await db.$count(collections)).toBe(0);
  });

  it('is refused again when the amount can no longer be read', async () => {
    const desk = await bareDesk({ balanceCents: null });
    await desk.addCollection('1');
    expect(await openParts(desk.deps, desk.manager, '1', terms())).toEqual({
      kind: 'not-payable',
      state: 'amount-unreadable',
    });
  });

  it.each<[Partial<Terms>, string]>([
    [{ minCents: 1 }, 'opened'],
    [{ minCents: 0 }, 'min'],
    [{ minCents: 5_000 }, 'opened'],
    [{ minCents: 5_001 }, 'min'],
    [{ deposit: { cents: 1_000 } }, 'opened'],
    [{ deposit: { cents: 999 } }, 'deposit'],
    [{ deposit: { cents: 9_000 } }, 'opened'],
    [{ deposit: { cents: 9_001 } }, 'deposit'],
  ])('opens or refuses an invoice of $100.00 with the terms %j: %s', async (changes, expected) => {
    const { answer } = await openForInvoice([], changes);
    expect('field' in answer ? answer.field : answer.kind).toBe(expected);
  });

  it.each([
    [10_099, 5_150],
    [10_050, 5_126],
  ])(
    'rounds a deposit half up for an invoice of %i cents with a share of 51 %%',
    async (balanceCents, depositCents) => {
      expect((await openForInvoice([{ balanceCents }], { deposit: { percent: 51 } })).answer).toMatchObject({
        depositCents,
      });
    },
  );

  it.each([
    [9_999, 1_000],
    [10_049, 1_005],
    [1_999, 1_000],
    [999, 999],
  ])('derives the minimum installment from an invoice of %i cents: %i cents', async (balanceCents, minCents) => {
    expect((await openForInvoice([{ balanceCents }], { minCents: null })).answer).toMatchObject({ minCents });
  });
});
