import { beforeEach, describe, expect, it } from 'vitest';
import { add, addClinic, addEntry, addPayment, db, HUB, rowsOf } from '#tests/support/unit/rows';
import { transaction } from '#tests/support/unit/world';
import { findReversal, findReversible } from '#worker/data/refunds/reversals';
import type { Deps } from '#worker/deps';
import type { FindBy, GatewayTransaction } from '#worker/vendors/clearent/port';
import { reconcileReversal, reconcileReversals } from './inquire.ts';

const DAY = 86_400_000;
const NOW = 100 * DAY;
const PAID_AT = NOW - 2 * DAY;
/** After a call without an answer. */
const WAITS = 15_000;
type Answer = GatewayTransaction[] | 'unavailable';

beforeEach(async () => {
  await addClinic({ time_zone: 'UTC' }, 't1');
  await addPayment('p1', { terminal_id: 't1', provider_txn_id: 'txn-p1', created_at: PAID_AT });
  await addEntry('p1', { at: PAID_AT });
});

const addReversal = (id: string, more: Record<string, unknown> = {}) =>
  add('reversals', {
    ...{
      id,
      attempt_id: 'p1',
      request_key: id,
      kind: 'refund',
      amount_cents: 3_000,
      dedupe_key: 'k1',
      state: 'unknown',
    },
    ...{ created_at: NOW - 1_000, hold_until: NOW + DAY, next_check_at: NOW },
    ...more,
  });

/** The deps of a clock, at a gateway that shows this; `logs` and `asked` tell what was logged and asked. */
function at(shows: (by: FindBy) => Answer, now = NOW) {
  const [logs, asked]: [[string, unknown?][], FindBy[]] = [[], []];
  const find = async (_terminal: unknown, _method: unknown, by: FindBy) => {
    asked.push(by);
    return shows(by);
  };
  const log = {
    info: (event: string, fields: unknown) => logs.push([event, fields]),
    alert: (event: string, fields: unknown) => logs.push([`ALERT ${event}`, fields]),
  };
  const settings = { CHARGE_TIMEOUT_MS: 10_000, SENT_GRACE_MS: 5_000 };
  const actor = { kind: 'staff', id: '1', sessionId: '', ipHash: '', requestId: '' };
  const rest = { settings, actor, clinic: 'c', now: () => now, newId: () => crypto.randomUUID() };
  return { deps: { db, log, gateway: { find }, ...rest } as unknown as Deps, logs, asked };
}

/** Asks what became of `r1`, made with these values, at a gateway that shows these whatever it is asked by. */
async function inquire(row: Record<string, unknown>, shown: Answer | ((by: FindBy) => Answer), now = NOW) {
  await addReversal('r1', row);
  const world = at(typeof shown === 'function' ? shown : () => shown, now);
  const [seen, found] = [await findReversal(db, 'r1'), await findReversible(db, HUB, 'p1')];
  if (!seen || !found) throw new Error('not stored');
  const reversal = await reconcileReversal(world.deps, seen, found.attempt);
  const booked = await rowsOf(
    "SELECT provider_txn_id AS id, kind, amount_cents AS cents, at FROM ledger WHERE kind <> 'payment'",
  );
  return { ...world, reversal, booked };
}

const txnOf = (more: Partial<GatewayTransaction> = {}) =>
  transaction(
    {
      attemptId: 'r1',
      dedupeKey: 'k1',
      amountCents: 3_000,
      terminal: { accountId: HUB, terminalId: 't1', sealedApiKey: '' },
    },
    { id: 'g1', kind: 'REFUND', batchId: '8', createdAt: NOW - DAY, ...more },
  );
const foreign = (more: Partial<GatewayTransaction> = {}) => txnOf({ attemptId: 'else', ...more });
const stays = { state: 'unknown', emptyChecks: 0, checks: 1 };
const empty = { state: 'unknown', emptyChecks: 1 };
const toPerson = (message: string) => ({ state: 'needs_human', message: expect.stringContaining(message) });

describe('a refund whose answer was lost', () => {
  it('is booked where the gateway shows it, on the day on which it was made', async () => {
    const { reversal, booked, logs } = await inquire({ message: 'x' }, [txnOf()]);
    expect(reversal).toMatchObject({
      state: 'approved',
      providerTxnId: 'g1',
      batchId: '8',
      message: '',
      nextCheckAt: null,
    });
    expect(booked).toEqual([{ id: 'g1', kind: 'refund', cents: -3_000, at: NOW - DAY }]);
    const fields = { accountId: HUB, reversalId: 'r1', from: 'unknown', to: 'approved' };
    expect(logs).toEqual([['reversal-status-found', fields]]);
    expect(await rowsOf('SELECT actor_kind FROM audit_events')).toEqual([{ actor_kind: 'system' }]);
  });

  it.each<[string, GatewayTransaction[], Record<string, unknown>]>([
    ['twice', [txnOf(), txnOf({ id: 'g2' })], toPerson('more than once')],
    ['with another amount', [txnOf({ amountCents: 2_000 })], toPerson('another amount for it: $20.00.')],
    ['without an amount', [txnOf({ amountCents: null })], toPerson('another amount for it.')],
    [
      'declined',
      [txnOf({ state: 'declined', message: 'No', providerCode: '058' })],
      { state: 'refused', message: 'No', providerCode: '058' },
    ],
    ['voided', [txnOf({ isVoided: true })], { state: 'refused' }],
    ['in no state that we know', [txnOf({ state: 'other' })], stays],
    ['as another kind', [txnOf({ kind: 'SALE' })], stays],
    ['under another order id', [foreign()], toPerson('under another order number')],
    ['under another order id, voided', [foreign({ isVoided: true })], empty],
    ['under another order id, declined', [foreign({ state: 'declined' })], empty],
    ['under another order id, as a sale', [foreign({ kind: 'SALE' })], empty],
    ['under another order id and key', [foreign({ dedupeKey: 'k2' })], empty],
    ['not', [], empty],
  ])('is shown %s', async (_what, shown, row) => {
    const { reversal, booked, logs } = await inquire({}, shown);
    expect(reversal).toMatchObject(row);
    expect(booked).toEqual([]);
    expect(logs.some(([event]) => event === 'ALERT reversal-needs-a-person')).toBe(row.state === 'needs_human');
    expect(logs.some(([event]) => event === 'reversal-check-failed')).toBe(row === stays);
  });

  it.each(['attemptId', 'dedupeKey'])('stays as it is where the gateway does not answer by %s', async (silent) => {
    const { reversal, logs } = await inquire({}, (by) => (silent in by ? 'unavailable' : []));
    expect(reversal).toMatchObject(stays);
    const fields = { clinic: 'c', accountId: HUB, reversalId: 'r1', cause: expect.stringContaining('does not answer') };
    expect(logs).toEqual([['reversal-check-failed', fields]]);
  });

  it.each([
    ['right before', NOW - DAY + 1, 'unknown'],
    ['by', NOW - DAY, 'needs_human'],
  ])(
    'comes before a person where nobody can read it %s a day after it was asked for',
    async (_when, created_at, state) => {
      const { reversal } = await inquire({ created_at }, [txnOf({ state: 'other' })]);
      expect(reversal).toMatchObject({ state });
    },
  );

  it('comes before a person where our books have it already', async () => {
    await addPayment('p2');
    await addEntry('p2', { provider_txn_id: 'g1', kind: 'refund', amount_cents: -3_000 });
    const { reversal, logs } = await inquire({}, [txnOf()]);
    expect(reversal).toMatchObject(toPerson('stands in our books already'));
    expect(logs).toMatchObject([['ALERT reversal-needs-a-person', { from: 'unknown', to: 'needs_human' }]]);
  });
});

describe('a void whose answer was lost', () => {
  const voids = { kind: 'void', amount_cents: 10_000 };
  const ofVoid = (more: Partial<GatewayTransaction> = {}) => txnOf({ kind: 'VOID', ...more });
  const payment = (more: Partial<GatewayTransaction> = {}) =>
    txnOf({ id: 'txn-p1', attemptId: 'p1', kind: 'SALE', createdAt: PAID_AT, isVoided: true, ...more });

  it.each<[string, GatewayTransaction[], string, { id: string; at: number } | null]>([
    [
      'by its own transaction, whatever its amount',
      [ofVoid({ amountCents: 1 })],
      'approved',
      { id: 'g1', at: NOW - DAY },
    ],
    ['by its own transaction, marked as voided', [ofVoid({ isVoided: true })], 'approved', { id: 'g1', at: NOW - DAY }],
    ['by the payment, which is marked', [payment()], 'approved', { id: 'txn-p1-void', at: NOW }],
    ['not: the payment is not marked', [payment({ isVoided: false })], 'unknown', null],
    ['not: another payment is marked', [payment({ id: 'txn-p2' })], 'unknown', null],
    ['declined', [ofVoid({ state: 'declined' }), payment()], 'refused', null],
  ])('is shown %s', async (_what, shown, state, entry) => {
    const { reversal, booked } = await inquire(voids, shown);
    expect(reversal).toMatchObject({ state });
    expect(booked).toMatchObject(entry ? [{ ...entry, kind: 'void', cents: -10_000 }] : []);
  });

  it('is looked for by its payment, and stays as it is without an answer', async () => {
    const { reversal, asked } = await inquire(voids, (by) => ('providerTxnId' in by ? 'unavailable' : []));
    expect(reversal).toMatchObject(stays);
    expect(asked).toEqual([{ attemptId: 'r1' }, { providerTxnId: 'txn-p1' }]);
  });
});

describe('a refund that the gateway does not show', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'for the third time, its hold over',
      { empty_checks: 2, hold_until: NOW },
      { state: 'not_done', nextCheckAt: NOW + DAY },
    ],
    ['for the second time, its hold over', { empty_checks: 1, hold_until: NOW }, { state: 'unknown', emptyChecks: 2 }],
    [
      'for the third time, right before its hold is over',
      { empty_checks: 2, hold_until: NOW + 1 },
      { state: 'unknown' },
    ],
    [
      'after it counted as not done',
      { state: 'not_done', empty_checks: 3 },
      { state: 'not_done', nextCheckAt: null, emptyChecks: 4 },
    ],
  ])('%s', async (_what, row, after) => {
    expect((await inquire(row, [])).reversal).toMatchObject(after);
  });

  it('is asked for no more where it counts as not done and was refused', async () => {
    const { reversal } = await inquire({ state: 'not_done' }, [txnOf({ state: 'declined' })]);
    expect(reversal).toMatchObject({ state: 'not_done', nextCheckAt: null, emptyChecks: 1 });
  });

  it('comes before nobody where it counts as not done, however old', async () => {
    const { reversal } = await inquire({ state: 'not_done', created_at: 1 }, [txnOf({ state: 'other' })]);
    expect(reversal).toMatchObject({ state: 'not_done' });
  });

  it.each([
    ['after the usual pause', {}, NOW + 2_000],
    ['at the end of its hold, if that is sooner', { hold_until: NOW + 1_000 }, NOW + 1_000],
    ['after the usual pause, once its hold is over', { hold_until: NOW }, NOW + 2_000],
    ['after a longer pause each time', { checks: 2 }, NOW + 15_000],
    ['after the usual pause, as not done', { state: 'not_done', hold_until: NOW + 1_000 }, NOW + 2_000],
  ])('is looked for again %s', async (_what, row, nextCheckAt) => {
    const { reversal } = await inquire(row, 'unavailable');
    expect(reversal).toMatchObject({ nextCheckAt });
  });
});

describe('a refund that was sent', () => {
  const sent = { state: 'sent', created_at: NOW - WAITS };

  it('is left to its own call for as long as that may take', async () => {
    const { reversal, asked } = await inquire({ ...sent, created_at: NOW - WAITS + 1 }, []);
    expect([reversal.state, asked]).toEqual(['sent', []]);
  });

  it('is unknown after that, and asked for at once', async () => {
    const { reversal, asked } = await inquire(sent, 'unavailable');
    expect(reversal).toMatchObject({ state: 'unknown', message: 'no answer was recorded', nextCheckAt: NOW + 2_000 });
    expect(asked).toEqual([{ attemptId: 'r1' }]);
  });

  it('is booked without a question where it was made in the provider’s own pages', async () => {
    await add('gateway_transactions', { provider_txn_id: 'g7', method: 'card', at: NOW - DAY });
    const { reversal, booked, asked } = await inquire({ ...sent, provider_txn_id: 'g7' }, []);
    expect([reversal.state, asked]).toEqual(['approved', []]);
    expect(booked).toMatchObject([{ id: 'g7', at: NOW - DAY }]);
  });

  it('comes before a person where it was made there and our books have it already', async () => {
    await addPayment('p2');
    await addEntry('p2', { provider_txn_id: 'g7', kind: 'refund', amount_cents: -1 });
    const { reversal, logs } = await inquire({ ...sent, provider_txn_id: 'g7' }, []);
    expect(reversal).toMatchObject(toPerson('stands in our books already'));
    expect(logs).toMatchObject([['ALERT reversal-needs-a-person', { from: 'sent', to: 'needs_human' }]]);
  });
});

describe('an inquiry', () => {
  const failing = (deps: Deps): Deps => {
    const batch = async () => {
      throw new Error('D1_ERROR: the object was reset');
    };
    return { ...deps, db: Object.assign(Object.create(db), { batch }) };
  };

  it.each([
    ['unknown', {}],
    ['sent', { provider_txn_id: 'g1' }],
  ])('of one that is %s fails where the database does, and the next one is still made', async (state, more) => {
    await addPayment('p2', { terminal_id: 't1' });
    await addReversal('r1', { state, ...more });
    await addReversal('r2', { attempt_id: 'p2', next_check_at: NOW - 1 });
    const { deps, logs } = at((by) => ('attemptId' in by && by.attemptId === 'r2' ? 'unavailable' : [txnOf()]));
    await reconcileReversals(failing(deps));
    expect(logs).toEqual([
      ['reversal-check-failed', expect.objectContaining({ reversalId: 'r2' })],
      ['reversal-check-failed', { clinic: 'c', reversalId: 'r1', cause: expect.stringContaining('was reset') }],
    ]);
    expect(await findReversal(db, 'r1')).toMatchObject({ state });
  });

  it.each(['approved', 'refused', 'needs_human'])('is not made of one that is %s', async (state) => {
    const { reversal, asked } = await inquire({ state }, [txnOf()]);
    expect([reversal.state, asked]).toEqual([state, []]);
  });

  it('is made by one of two at once', async () => {
    await addReversal('r1');
    const { deps, asked } = at(() => [txnOf()]);
    const [seen, found] = [await findReversal(db, 'r1'), await findReversible(db, HUB, 'p1')];
    if (!seen || !found) throw new Error('not stored');
    expect(await reconcileReversal(deps, { ...seen, checks: 9 }, found.attempt)).toMatchObject({ checks: 0 });
    expect(asked).toEqual([]);
  });
});
