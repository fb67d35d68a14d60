import { beforeEach, describe, expect, it } from 'vitest';
import { addEntry, db, rowsOf } from '#tests/support/unit/rows';
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
import { recordPayment } from './record-payment.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

beforeEach(addBookedPayment);

/** Runs the schedule once for a row in this state, with a CRM that gives these answers. */
async function runOnce(row: Record<string, unknown>, answers: Answers = {}) {
  await addWrite('pay-p1', row);
  const { connection, calls } = connectCrm(answers);
  const next = await recordPayment(depsAt(), connection, await dueRow('pay-p1'));
  return { next, calls, row: await storedWrite('pay-p1') };
}
const sentRow = { state: 'sent', looks: 1, sent_at: NOW - HOUR, balance_cents: 10_000, tries: 1 };
const requestedRow = { state: 'sent', looks: 0, sent_at: NOW, balance_cents: 10_000, next_try_at: NOW + MINUTE };
const escalatedRow = { state: 'unknown', looks: 0, next_try_at: NOW + 6 * HOUR };
const unansweredCall = { answer: { kind: 'unanswered' } } as const;
const ownRecord = { id: 'o7', reference: 'txn-p1', givenBackCents: 0 };

describe('the CRM record of a payment', () => {
  it('is created from the ledger entry and read back', async () => {
    await addEntry('p1', { provider_txn_id: 'b1', kind: 'refund', amount_cents: -300, at: 6 });
    const { next, calls, row } = await runOnce({}, { balance: balanceOf(9_700) });
    expect(next).toBe('go-on');
    const expected = { amountCents: 10_000, givenBackCents: 300, reference: 'txn-p1', invoiceId: 'p1', method: 'card' };
    expect(calls).toEqual([['create', expect.objectContaining({ ...expected, comment: 'Tillway p1' })]]);
    expect(calls[0]?.[1]).not.toHaveProperty('payment');
    const writtenRow = {
      state: 'written',
      object_id: 'o1',
      done_at: NOW,
      balance_cents: 9_700,
      tries: 1,
      looks: 1,
      said: '',
    };
    expect(row).toMatchObject({ ...writtenRow, next_try_at: NOW + MINUTE });
  });

  it.each(['due', 'sent', 'refused', 'unknown'])(
    'is adopted from state %s when the CRM already has it',
    async (state) => {
      const records = [{ ...ownRecord, id: 'o6', reference: 'other' }, ownRecord];
      const { calls, row } = await runOnce({ state, looks: 5, said: 'x' }, { records, balance: balanceOf(0) });
      expect(row).toMatchObject({
        state: 'written',
        object_id: 'o7',
        effect: 'paid',
        said: '',
        looks: 0,
        done_at: NOW,
      });
      expect(calls).toEqual([]);
    },
  );

  it('is marked as not wanted when the ledger has no payment', async () => {
    await rowsOf("UPDATE crm_writes SET state = 'due'");
    await addWrite('pay-p9', { attempt_id: 'p1' });
    const row = { ...(await dueRow('pay-p9')), attemptId: 'p9' };
    await recordPayment(depsAt(), connectCrm({}).connection, row);
    const message = 'The payment is not in the ledger.';
    expect(await storedWrite('pay-p9')).toMatchObject({
      state: 'not_wanted',
      said: message,
      next_try_at: null,
      done_at: NOW,
    });
  });

  it.each([
    [10_000, 'not_wanted', 'It was refunded before it was recorded.'],
    [9_999, 'sent', ''],
  ])('after a refund of %i cents moves to %s', async (cents, state, message) => {
    await addEntry('p1', { provider_txn_id: 'b1', kind: 'refund', amount_cents: -cents });
    expect((await runOnce({}, unansweredCall)).row).toMatchObject({ state, said: message });
  });
});

describe('the balance before a record is created', () => {
  it.each([
    ['no invoice', null, { state: 'not_wanted', said: 'HubSpot no longer has this invoice.', next_try_at: null }],
    ['no balance', balanceOf(null), { ...escalatedRow, said: expect.stringContaining('HubSpot shows no balance') }],
    ['less than the payment', balanceOf(9_999), { ...escalatedRow, said: expect.stringContaining('$99.99 open') }],
    ['as much as the payment', balanceOf(10_000), requestedRow],
    ['more than the payment', balanceOf(10_001), { ...requestedRow, balance_cents: 10_001 }],
  ])('determines the next state when it shows %s', async (_title, balance, row) => {
    expect((await runOnce({}, { balance, ...unansweredCall })).row).toMatchObject(row);
  });

  it.each<[string, Record<string, unknown>, Answers, Record<string, unknown>]>([
    ['records change it, and it is unchanged', {}, {}, { ...requestedRow, tries: 2 }],
    ['it has changed since the call', {}, { balance: balanceOf(10_001) }, escalatedRow],
    ['records do not change it', {}, { moves: false }, escalatedRow],
    ['it was not known before the call', { balance_cents: null }, {}, escalatedRow],
    ['the record was requested five times', { tries: 5 }, {}, escalatedRow],
    ['the record was requested four times', { tries: 4 }, {}, { ...requestedRow, tries: 5 }],
  ])('allows a retry of a lost call or sends it to manual review when %s', async (_title, overrides, answers, row) => {
    expect((await runOnce({ ...sentRow, ...overrides }, { ...answers, ...unansweredCall })).row).toMatchObject(row);
  });
});

describe('a pending record of another payment', () => {
  it.each([
    ['makes this one wait on the same invoice', {}, true, false],
    ['does not make this one wait on another invoice', { invoice_id: 'p2' }, true, true],
    ['makes this one wait while the effect of records is unknown', { invoice_id: 'p2' }, null, false],
  ])('%s', async (_title, other, moves, isRequested) => {
    await addWrite('pay-p2', { state: 'sent', next_try_at: null, ...other });
    const waitingRow = { state: 'due', next_try_at: NOW + MINUTE, sent_at: null };
    const { row, next } = await runOnce({}, { moves, ...unansweredCall });
    expect([next, row]).toMatchObject(['go-on', isRequested ? requestedRow : waitingRow]);
  });
});

describe('a call that wrote nothing', () => {
  const unsentRow = { sent_at: null, balance_cents: null, looks: 0 };

  it('leaves the row as sent when it got no answer', async () => {
    expect((await runOnce({}, unansweredCall)).row).toMatchObject({ ...requestedRow, tries: 1 });
  });

  it('saves the CRM’s refusal and pauses the account', async () => {
    const { next, row } = await runOnce({ state: 'refused', looks: 3 }, { answer: { kind: 'refused', said: 'No' } });
    const refusedRow = { ...unsentRow, state: 'refused', said: 'No', tries: 1, looks: 3, next_try_at: NOW + 7 * DAY };
    expect([next, row]).toMatchObject(['wait', refusedRow]);
    expect(await storedSettings()).toMatchObject({ state: 'cannot', said: 'No', wait_until: NOW + 7 * DAY });
  });

  it.each([
    [
      { kind: 'later', waitMs: 500 },
      { state: 'ready', wait_until: NOW + 500 },
    ],
    [
      { kind: 'later', waitMs: null },
      { state: 'ready', wait_until: NOW + MINUTE },
    ],
    [{ kind: 'not-allowed' }, { state: 'not_allowed', said: '', wait_until: NOW + 7 * DAY }],
  ] as const)('leaves the row unchanged after %o', async (answer, settings) => {
    const { next, row } = await runOnce({}, { answer: answer as never });
    expect([next, row]).toMatchObject(['wait', { ...unsentRow, state: 'due', tries: 0, next_try_at: NOW }]);
    expect(await storedSettings()).toMatchObject(settings);
  });
});

describe('a requested record that the CRM does not show', () => {
  it.each([
    ['once', { looks: 0 }, true, { state: 'sent', looks: 1, next_try_at: NOW + 2 * MINUTE }],
    ['twice', { looks: 1 }, null, { state: 'sent', looks: 2, next_try_at: NOW + 10 * MINUTE }],
    ['for nearly a day', { sent_at: NOW - DAY + 1 }, null, { state: 'sent', looks: 2 }],
    ['for a day', { sent_at: NOW - DAY }, null, escalatedRow],
  ])('is looked up %s', async (_title, overrides, moves, row) => {
    expect((await runOnce({ ...sentRow, ...overrides }, { moves })).row).toMatchObject(row);
  });

  it.each([
    [0, 1, NOW + 6 * HOUR],
    [38, 39, NOW + 6 * HOUR],
    [39, 40, null],
  ])('is still looked up during manual review: after %i lookups', async (looks, nextLooks, next_try_at) => {
    expect((await runOnce({ state: 'unknown', looks })).row).toMatchObject({
      state: 'unknown',
      looks: nextLooks,
      next_try_at,
    });
    expect(await db.$client.prepare('SELECT count(*) AS n FROM crm_writes').first('n')).toBe(1);
  });
});
