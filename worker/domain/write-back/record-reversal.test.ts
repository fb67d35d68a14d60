import { beforeEach, describe, expect, it } from 'vitest';
import { addEntry } from '#tests/support/unit/rows';
import {
  type Answers,
  addBookedPayment,
  addWrite,
  balanceOf,
  connectCrm,
  depsAt,
  dueRow,
  NOW,
  storedSettings,
  storedWrite,
} from '#tests/support/unit/write-back';
import { recordReversal } from './record-reversal.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const [ID, RECORD] = ['rev-p1-b1', { id: 'o1', reference: 'txn-p1' }];

beforeEach(addBookedPayment);

/** Runs the schedule once for a refund of 3.00 whose payment's record is in this state. */
async function runOnce(
  payment: string | null,
  row: Record<string, unknown> = {},
  answers: Answers = {},
  kind = 'refund',
) {
  await addEntry('p1', { provider_txn_id: 'b0', kind, amount_cents: -300, at: 6 });
  if (payment) await addWrite('pay-p1', { state: payment, object_id: 'o1', next_try_at: null });
  await addWrite(ID, { kind: 'reversal', amount_cents: 300, ...row });
  const { connection, calls } = connectCrm({ records: [{ ...RECORD, givenBackCents: 0 }], ...answers });
  const next = await recordReversal(depsAt(), connection, await dueRow(ID));
  return { next, calls, row: await storedWrite(ID) };
}

describe('the CRM record of a refund', () => {
  it.each([
    ['by_hand', 'unknown', 'The payment was recorded by hand, so its refunds must be too.'],
    ['not_wanted', 'not_wanted', 'The payment is not recorded in HubSpot.'],
    [null, 'not_wanted', 'The payment is not recorded in HubSpot.'],
  ])('ends early when the payment record is %s: %s', async (payment, state, message) => {
    const { next, calls, row } = await runOnce(payment);
    expect([next, calls]).toEqual(['go-on', []]);
    expect(row).toMatchObject({ state, said: message, next_try_at: null, done_at: NOW });
  });

  it.each([
    ['due', 45],
    ['sent', 45],
    ['refused', 45],
    ['unknown', 11],
  ])('waits while the payment record is %s, for up to %i days', async (payment, days) => {
    const result = await runOnce(payment, { created_at: NOW - days * DAY + 1 });
    expect(result.row).toMatchObject({ state: 'due', next_try_at: NOW + 10 * MINUTE });
  });

  it.each([
    ['due', 45],
    ['sent', 45],
    ['refused', 45],
    ['unknown', 11],
  ])('goes to manual review when the payment record is still %s after %i days', async (payment, days) => {
    const { row } = await runOnce(payment, { created_at: NOW - days * DAY });
    expect(row).toMatchObject({ state: 'unknown', said: expect.stringContaining('do not know'), next_try_at: null });
  });
});

describe('the payment record after a refund', () => {
  const writtenRow = { state: 'written', object_id: 'o1', looks: 1, said: '', done_at: NOW };

  it.each([
    ['refund', 'refunded'],
    ['void', 'voided'],
    ['return', 'returned by the bank'],
  ])('is updated after a %s with the total and the kind of reversal, then read back', async (kind, kindText) => {
    const { next, calls, row } = await runOnce('written', { looks: 7, said: 'x' }, { balance: balanceOf(500) }, kind);
    const change = { amountCents: 10_000, givenBackCents: 300, comment: `Tillway p1, ${kindText}` };
    expect([next, calls]).toEqual(['go-on', [['change', 'o1', change]]]);
    expect(row).toMatchObject({ ...writtenRow, tries: 1, balance_cents: 500, sent_at: NOW, next_try_at: NOW + MINUTE });
  });

  it('is not updated when it already shows the refund', async () => {
    const records = [
      { ...RECORD, id: 'o0', givenBackCents: 0 },
      { ...RECORD, givenBackCents: 300 },
    ];
    const { calls, row } = await runOnce('written', { balance_cents: 7 }, { records, balance: balanceOf(8) });
    expect(calls).toEqual([]);
    expect(row).toMatchObject({ ...writtenRow, looks: 0, tries: 0, sent_at: null, effect: 'balance_moved' });
  });

  it('is updated without a kind of reversal when the ledger has none', async () => {
    await addWrite('pay-p1', { state: 'written', object_id: 'o1', next_try_at: null });
    await addWrite(ID, { kind: 'reversal' });
    const { connection, calls } = connectCrm({});
    await recordReversal(depsAt(), connection, await dueRow(ID));
    expect(calls).toMatchObject([['change', 'o1', { givenBackCents: 0, comment: 'Tillway p1' }]]);
  });

  it('keeps the balance from before the first call', async () => {
    const { row } = await runOnce('written', { balance_cents: 7, tries: 1 }, { balance: balanceOf(500) });
    expect(row).toMatchObject({ balance_cents: 7, tries: 2, effect: 'balance_moved', next_try_at: null });
  });

  it.each([
    [8, { state: 'due', tries: 9, next_try_at: NOW + MINUTE, said: '' }],
    [9, { state: 'unknown', tries: 10, next_try_at: null, said: 'HubSpot did not answer.' }],
  ])('is updated again after a lost answer, at most ten times (%i earlier tries)', async (tries, row) => {
    const result = await runOnce('written', { tries }, { answer: { kind: 'unanswered' } });
    expect([result.next, result.row]).toMatchObject(['go-on', row]);
  });

  it('saves the CRM’s refusal and pauses the account', async () => {
    const { next, row } = await runOnce('written', {}, { answer: { kind: 'refused', said: 'No' }, balance: null });
    const refusedRow = { state: 'refused', said: 'No', tries: 1, next_try_at: NOW + 7 * DAY, balance_cents: null };
    expect([next, row]).toMatchObject(['wait', refusedRow]);
    expect(await storedSettings()).toMatchObject({ state: 'cannot', said: 'No' });
  });

  it('waits for as long as the CRM tells the account to wait', async () => {
    const { next, row } = await runOnce('written', {}, { answer: { kind: 'later', waitMs: 500 } });
    expect([next, row]).toMatchObject(['wait', { state: 'due', next_try_at: NOW + MINUTE }]);
    expect(await storedSettings()).toMatchObject({ wait_until: NOW + 500 });
  });
});
