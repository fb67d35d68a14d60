import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareClinic, type GatewayAnswer, gatewayCharge } from '#tests/support/unit/bare-clinic';
import { ACCOUNT } from '#tests/support/unit/rows';
import { eventsOf } from '#tests/support/unit/trail';
import type { Attempt } from '#worker/data/schema/schema';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { inquirePaymentStatus } from './inquire-status.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Row = Partial<Attempt>;

const unknownAttempt: Row = { state: 'unknown', createdAt: NOW - 30_000, holdUntil: NOW, checks: 2, nextCheckAt: NOW };

/** Runs one inquiry for an attempt with these columns. */
async function inquire(row: Row, response: GatewayAnswer, reported: Partial<GatewayTransaction>[] = []) {
  const clinic = await bareClinic(row);
  clinic.show(response);
  const answer = await inquirePaymentStatus(clinic.deps, await clinic.read(), reported.map(gatewayCharge));
  return { ...clinic, answer, row: await clinic.read() };
}

const singleCharge = [{}];

it('a status inquiry without an answer from the provider is logged', async () => {
  const { fields } = await inquire(unknownAttempt, 'unavailable');
  const cause = 'the card provider does not answer';
  expect(fields).toEqual([{ clinic: 3, accountId: ACCOUNT, attemptId: 'a1', cause }]);
});

it('a charge just shown by the provider is not released by a concurrent lookup that misses it', async () => {
  const clinic = await bareClinic({ ...unknownAttempt, emptyChecks: 9 });
  const previous = await clinic.read();
  const charge = gatewayCharge({});
  let concurrentResult: Attempt | undefined;
  clinic.gateway.script.find = async () => {
    if (concurrentResult) return [];
    concurrentResult = previous;
    // Meanwhile, a scheduled lookup finds nothing.
    concurrentResult = await inquirePaymentStatus(clinic.deps, await clinic.read());
    return [];
  };
  await inquirePaymentStatus(clinic.deps, previous, [charge]);
  expect(concurrentResult?.state).toBe('needs_human');
  // The gateway's lists now show the charge.
  clinic.show([{}]);
  expect((await inquirePaymentStatus(clinic.deps, await clinic.read())).state).toBe('approved');
});

describe('a finished attempt', () => {
  it.each<[string, Row]>([
    ['a payment by card', { state: 'approved' }],
    ['one that a person has released', { state: 'needs_human', needsHumanFrom: 'not_charged' }],
    ['a refunded payment by card', { state: 'refunded' }],
    ...(['declined', 'rejected', 'returned', 'voided'] as const).map(
      (state) => [`one that is ${state}`, { state, method: 'ach' }] as [string, Row],
    ),
  ])('is not looked up: %s', async (_title, overrides) => {
    const { answer, requests, row } = await inquire({ ...unknownAttempt, ...overrides }, singleCharge);
    expect(requests).toEqual([]);
    expect(row).toMatchObject({ ...overrides, nextCheckAt: null, checks: 2 });
    expect(answer).toEqual(row);
  });

  it.each<[string, Row]>([
    ['a bank debit that was settled', { state: 'approved', method: 'ach' }],
    ['one that was refunded', { state: 'refunded', method: 'ach' }],
    ['one that is on its way', { state: 'pending', method: 'ach' }],
    ['one in manual review that was unknown', { state: 'needs_human', needsHumanFrom: 'unknown' }],
    ['one in manual review that was on its way', { state: 'needs_human', needsHumanFrom: 'pending', method: 'ach' }],
  ])('does not include %s, which is looked up', async (_title, overrides) => {
    expect((await inquire({ ...unknownAttempt, ...overrides }, 'unavailable')).requests).not.toEqual([]);
  });

  it('is returned unchanged when no further check is scheduled', async () => {
    const { deps, read } = await bareClinic({ ...unknownAttempt, state: 'declined', nextCheckAt: null });
    const previous = await read();
    expect(await inquirePaymentStatus(deps, previous)).toBe(previous);
  });
});

describe('a released attempt', () => {
  it.each<[Attempt['state'], string, Row, GatewayAnswer, Row]>([
    [
      'not_charged',
      'its charge',
      {},
      singleCharge,
      { state: 'needs_human', needsHumanFrom: 'not_charged', nextCheckAt: null },
    ],
    ['cancelled', 'its charge', {}, singleCharge, { state: 'needs_human', nextCheckAt: null }],
    ['timed_out', 'a bank debit', {}, [{ state: 'pending' }], { state: 'needs_human' }],
    ['not_charged', 'two charges', {}, [{}, { id: 't2' }], { state: 'needs_human' }],
    ['not_charged', 'another amount', {}, [{ amountCents: 1 }], { state: 'needs_human' }],
    ['not_charged', 'a decline', {}, [{ state: 'declined' }], { emptyChecks: 1, nextCheckAt: null }],
    ['not_charged', 'a void', {}, [{ isVoided: true }], { emptyChecks: 1, nextCheckAt: null }],
    ['not_charged', 'a void beside its charge', {}, [{ isVoided: true }, { id: 't2' }], { state: 'needs_human' }],
    ['cancelled', 'money of another order', {}, [{ attemptId: 'else' }], { emptyChecks: 1, nextCheckAt: null }],
    ['timed_out', 'nothing', {}, [], { emptyChecks: 1, nextCheckAt: null }],
    ['timed_out', 'no answer', {}, 'unavailable', { emptyChecks: 0, nextCheckAt: NOW + 15_000 }],
    [
      'not_charged',
      'nothing for an accepted debit',
      { method: 'ach', providerTxnId: 't1' },
      [],
      { nextCheckAt: NOW + DAY },
    ],
    [
      'not_charged',
      'nothing for an accepted debit within 65 days',
      { method: 'ach', providerTxnId: 't1', createdAt: NOW - 65 * DAY + 1 },
      [],
      { nextCheckAt: NOW + DAY },
    ],
    [
      'not_charged',
      'nothing for an accepted debit after 65 days',
      { method: 'ach', providerTxnId: 't1', createdAt: NOW - 65 * DAY },
      [],
      { nextCheckAt: null },
    ],
    ['not_charged', 'nothing for a debit that was not accepted', { method: 'ach' }, [], { nextCheckAt: null }],
    [
      'not_charged',
      'nothing for a card charge that was shown before',
      { providerTxnId: 't1' },
      [],
      { nextCheckAt: null },
    ],
  ])('is updated from %s when the gateway shows %s', async (state, _title, overrides, response, expected) => {
    const { row } = await inquire({ ...unknownAttempt, ...overrides, state }, response);
    expect(row).toMatchObject({ state, ...expected });
  });
});

it('a released attempt stays released when its charge was refunded', async () => {
  const { addTransaction, deps, read, show } = await bareClinic({ ...unknownAttempt, state: 'not_charged' });
  await addTransaction({ providerTxnId: 'back', parentId: 't1', kind: 'REFUND', netAmountCents: -10_000 });
  show([{}, { id: 'back', attemptId: '', dedupeKey: '', kind: 'REFUND', parentId: 't1' }]);
  expect(await inquirePaymentStatus(deps, await read())).toMatchObject({ state: 'not_charged', emptyChecks: 1 });
});

describe('a sent attempt', () => {
  const sentAttempt: Row = { ...unknownAttempt, state: 'sent', createdAt: NOW - 35_000, nextCheckAt: NOW + 777 };
  const deskAttempt: Row = { ...sentAttempt, channel: 'terminal' };
  const unchangedRow: Row = { state: 'sent', nextCheckAt: NOW + 777, emptyChecks: 0, checks: 3 };

  it.each<[string, Row, GatewayAnswer, Row]>([
    ['its charge', sentAttempt, singleCharge, { state: 'approved' }],
    ['nothing', sentAttempt, [], unchangedRow],
    ['a decline', sentAttempt, [{ state: 'declined' }], unchangedRow],
    ['a bank debit', sentAttempt, [{ state: 'pending' }], unchangedRow],
    ['two charges', sentAttempt, [{}, { id: 't2' }], unchangedRow],
    ['an unknown state', sentAttempt, [{ state: 'other' }], { ...unchangedRow, providerTxnId: 't1' }],
    ['no answer', sentAttempt, 'unavailable', unchangedRow],
    ['a decline at a desk', deskAttempt, [{ state: 'declined' }], { state: 'declined' }],
    ['a bank debit at a desk', deskAttempt, [{ state: 'pending' }], { state: 'pending' }],
    ['nothing at a desk', deskAttempt, [], { ...unchangedRow, nextCheckAt: NOW + 5_000 }],
    ['its charge too early', { ...sentAttempt, createdAt: NOW - 34_999 }, singleCharge, { ...unchangedRow, checks: 2 }],
    ['nothing until its time limit', { ...sentAttempt, createdAt: NOW - 84_999 }, [], unchangedRow],
    [
      'nothing after its time limit',
      { ...sentAttempt, createdAt: NOW - 85_000 },
      [],
      { state: 'unknown', message: 'no answer was recorded' },
    ],
    ['nothing at a desk until its time limit', { ...deskAttempt, createdAt: NOW - 239_999 }, [], { state: 'sent' }],
    ['nothing at a desk after its time limit', { ...deskAttempt, createdAt: NOW - 240_000 }, [], { state: 'unknown' }],
  ])('is updated when the gateway shows %s', async (_title, row, response, expected) => {
    expect((await inquire(row, response)).row).toMatchObject(expected);
  });

  it('is looked up at once when the gateway has just shown money for it', async () => {
    expect((await inquire({ ...sentAttempt, createdAt: NOW - 1 }, [], singleCharge)).row.state).toBe('approved');
  });

  it('is not looked up when the gateway has shown something else', async () => {
    const result = await inquire({ ...sentAttempt, createdAt: NOW - 1 }, singleCharge, [{ state: 'declined' }]);
    expect(result).toMatchObject({ requests: [], row: { state: 'sent' } });
  });
});

describe('an attempt with unknown outcome', () => {
  it.each<[string, Row, number]>([
    ['the number of lookups', { checks: 4 }, 60_000],
    ['the number of empty lookups, at a terminal', { channel: 'terminal', checks: 4, emptyChecks: 1 }, 5_000],
    ['its hold, if that ends sooner', { checks: 4, holdUntil: NOW + 59_999 }, 59_999],
    ['the number of lookups, if its hold ends later', { checks: 4, holdUntil: NOW + 60_001 }, 60_000],
    [
      'the number of lookups, independent of its hold, once released',
      { state: 'cancelled', checks: 4, holdUntil: NOW + 1 },
      60_000,
    ],
  ])('is looked up again after a pause set by %s', async (_title, overrides, pauseMs) => {
    const { row } = await inquire({ ...unknownAttempt, ...overrides }, 'unavailable');
    expect(row.nextCheckAt).toBe(NOW + pauseMs);
  });

  it.each<[string, Row, GatewayAnswer, Row, string[]]>([
    [
      'its charge',
      {},
      singleCharge,
      { state: 'approved', nextCheckAt: null, settledAt: NOW },
      ['payment-status-found'],
    ],
    [
      'a bank debit',
      {},
      [{ state: 'pending' }],
      { state: 'pending', nextCheckAt: NOW + 4 * HOUR },
      ['payment-status-found'],
    ],
    [
      'a decline',
      {},
      [{ state: 'declined', message: 'No' }],
      { state: 'declined', message: 'No' },
      ['payment-status-found'],
    ],
    ['a return', {}, [{ state: 'returned' }], { state: 'declined', nextCheckAt: null }, ['payment-status-found']],
    [
      'a decline before its charge',
      {},
      [{ id: 't0', state: 'declined' }, {}],
      { state: 'approved' },
      ['payment-status-found'],
    ],
    [
      'another amount',
      {},
      [{ amountCents: 9_999 }],
      { state: 'needs_human', nextCheckAt: NOW + 15_000 },
      ['ALERT payment-needs-a-person'],
    ],
    ['two charges', {}, [{}, { id: 't2' }], { state: 'needs_human' }, ['ALERT payment-needs-a-person']],
    ['a void', {}, [{ isVoided: true }], { state: 'needs_human' }, ['ALERT payment-needs-a-person']],
    ['money of another order', {}, [{ attemptId: 'else' }], { state: 'needs_human' }, ['ALERT payment-needs-a-person']],
    [
      'a decline of another order',
      {},
      [{ attemptId: 'else', state: 'declined' }],
      { state: 'unknown', emptyChecks: 1 },
      [],
    ],
    ['an unknown state', {}, [{ state: 'other' }], { state: 'needs_human' }, ['ALERT payment-needs-a-person']],
    [
      'an unknown state within its hold',
      { holdUntil: NOW + 1 },
      [{ state: 'other' }],
      { state: 'unknown', providerTxnId: 't1', emptyChecks: 0, nextCheckAt: NOW + 1 },
      [],
    ],
    [
      'an unknown state without an id',
      { holdUntil: NOW + 1 },
      [{ state: 'other', id: '' }],
      { state: 'unknown', providerTxnId: null },
      [],
    ],
    ['nothing', {}, [], { state: 'unknown', emptyChecks: 1, nextCheckAt: NOW + 15_000, checks: 3, checkedAt: NOW }, []],
    ['nothing twice', { emptyChecks: 1 }, [], { state: 'unknown', emptyChecks: 2 }, []],
    [
      'nothing three times',
      { emptyChecks: 2 },
      [],
      { state: 'not_charged', nextCheckAt: NOW + DAY },
      ['payment-status-found'],
    ],
    [
      'nothing within its hold',
      { emptyChecks: 5, holdUntil: NOW + 1 },
      [],
      { state: 'unknown', emptyChecks: 6, nextCheckAt: NOW + 1 },
      [],
    ],
    [
      'nothing after it was shown',
      { providerTxnId: 't1' },
      [],
      { state: 'needs_human' },
      ['ALERT payment-needs-a-person'],
    ],
    [
      'no answer',
      { emptyChecks: 5 },
      'unavailable',
      { state: 'unknown', emptyChecks: 5, nextCheckAt: NOW + 15_000 },
      ['status-inquiry-failed'],
    ],
  ])('is updated when the gateway shows %s', async (_title, overrides, response, expected, logs) => {
    const result = await inquire({ ...unknownAttempt, ...overrides }, response);
    expect(result.row).toMatchObject(expected);
    expect(result.answer).toEqual(result.row);
    expect(result.logs).toEqual(logs);
  });

  it('is logged with its old and new state, and recorded as an action of the system', async () => {
    const { fields } = await inquire(unknownAttempt, [{ isVoided: true }]);
    expect(fields).toEqual([{ accountId: ACCOUNT, attemptId: 'a1', from: 'unknown', to: 'needs_human' }]);
    expect(await eventsOf(ACCOUNT)).toMatchObject([{ actorKind: 'system', action: 'payment.moved' }]);
  });

  it('goes to manual review when its transaction is in the ledger for another attempt', async () => {
    const { addAttempt, addLedger, deps, read, show } = await bareClinic(unknownAttempt);
    await addLedger(await addAttempt('2'), '2', { providerTxnId: 't1' });
    show(singleCharge);
    expect(await inquirePaymentStatus(deps, await read())).toMatchObject({ state: 'needs_human' });
  });

  it('stays unknown when its outcome cannot be saved', async () => {
    const { db, deps, read, show } = await bareClinic(unknownAttempt);
    show(singleCharge);
    const failingTrigger =
      "CREATE TRIGGER broken BEFORE INSERT ON ledger BEGIN SELECT RAISE(ABORT, 'no more room'); END";
    await db.$client.prepare(failingTrigger).run();
    await expect(inquirePaymentStatus(deps, await read())).rejects.toThrow(/no more room/);
    await db.$client.prepare('DROP TRIGGER broken').run();
    expect((await read()).state).toBe('unknown');
  });

  it('keeps a state that was set during the gateway lookup', async () => {
    const { db, deps, logs, read, show } = await bareClinic(unknownAttempt);
    show(singleCharge);
    const { find } = deps.gateway;
    deps.gateway.find = async (...args) => {
      await db.$client.prepare("UPDATE payment_attempts SET state = 'declined' WHERE state = 'unknown'").run();
      return find(...args);
    };
    expect((await inquirePaymentStatus(deps, await read())).state).toBe('declined');
    expect(logs).toEqual([]);
  });

  it('is looked up once by concurrent callers', async () => {
    const { requests, deps, read } = await bareClinic(unknownAttempt);
    const previous = { ...(await read()), checks: 1 };
    expect(await inquirePaymentStatus(deps, previous)).toMatchObject({ checks: 2 });
    expect(requests).toEqual([]);
  });
});
