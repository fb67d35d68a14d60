import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareClinic, type GatewayAnswer, gatewayCharge } from '#tests/support/unit/bare-clinic';
import { ACCOUNT } from '#tests/support/unit/rows';
import type { Attempt } from '#worker/data/schema/schema';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { moveForEscalatedDebit, watchPendingDebit } from './ach-debit.ts';
import type { ChargeLookUp } from './look-up-charge.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Row = Partial<Attempt>;

const pendingDebit: Row = {
  state: 'pending',
  method: 'ach',
  providerTxnId: 't1',
  createdAt: NOW - DAY,
  checks: 2,
  emptyChecks: 1,
  nextCheckAt: NOW,
};
const pendingTxn: Partial<GatewayTransaction> = { kind: 'DEBIT', state: 'pending' };
const NEEDS_PERSON_ALERT = 'ALERT payment-needs-a-person';
const STATUS_FOUND = 'payment-status-found';
const CONTRADICTED_ALERT = 'ALERT payment-contradicted';

/** Checks a bank debit with these columns once. */
async function check(row: Row, response: GatewayAnswer) {
  const clinic = await bareClinic({ ...pendingDebit, ...row });
  clinic.show(response);
  const answer = await watchPendingDebit(clinic.deps, await clinic.read());
  return { ...clinic, answer, row: await clinic.read() };
}

describe('an accepted bank debit', () => {
  const waitingRow: Row = { state: 'pending', nextCheckAt: NOW + 4 * HOUR, checks: 3 };
  const escalatedRow: Row = { state: 'needs_human', needsHumanFrom: 'pending', nextCheckAt: NOW + 4 * HOUR };

  it.each<[string, Row, GatewayAnswer, Row, string[]]>([
    ['it settled', {}, [{ ...pendingTxn, state: 'approved' }], { state: 'approved', settledAt: NOW }, [STATUS_FOUND]],
    [
      'it was returned',
      {},
      [{ ...pendingTxn, state: 'returned', message: 'R01', providerCode: '1' }],
      { state: 'returned', message: 'R01', providerCode: '1' },
      [STATUS_FOUND],
    ],
    ['it was declined', {}, [{ ...pendingTxn, state: 'declined' }], { state: 'returned' }, [STATUS_FOUND]],
    ['it was voided', {}, [{ ...pendingTxn, isVoided: true }], { state: 'returned' }, [STATUS_FOUND]],
    ['it is on its way', {}, [pendingTxn], { ...waitingRow, emptyChecks: 0 }, []],
    ['it is missing', {}, [], { ...waitingRow, emptyChecks: 2 }, []],
    ['it is in an unknown state', {}, [{ ...pendingTxn, state: 'other' }], { ...waitingRow, emptyChecks: 2 }, []],
    [
      'it has another amount',
      {},
      [{ ...pendingTxn, amountCents: 1 }],
      { ...waitingRow, emptyChecks: 2 },
      [CONTRADICTED_ALERT],
    ],
    [
      'there is money of another order',
      {},
      [{ ...pendingTxn, id: 't2', attemptId: 'else' }],
      { ...waitingRow, emptyChecks: 2 },
      [CONTRADICTED_ALERT],
    ],
    ['the provider does not answer', {}, 'unavailable', { ...waitingRow, emptyChecks: 1 }, ['status-inquiry-failed']],
    ['it is missing for the fifth time', { emptyChecks: 4 }, [], { ...waitingRow, emptyChecks: 5 }, []],
    ['it is missing for the sixth time', { emptyChecks: 5 }, [], escalatedRow, [NEEDS_PERSON_ALERT]],
    [
      'it is missing in a check before its time',
      { emptyChecks: 5, nextCheckAt: NOW + 1 },
      [],
      { ...waitingRow, emptyChecks: 5 },
      [],
    ],
    [
      'it is missing in an unscheduled check',
      { emptyChecks: 5, nextCheckAt: null },
      [],
      { ...waitingRow, emptyChecks: 5 },
      [],
    ],
    [
      'it has another amount for the sixth time',
      { emptyChecks: 5 },
      [{ ...pendingTxn, amountCents: 1 }],
      escalatedRow,
      [CONTRADICTED_ALERT, NEEDS_PERSON_ALERT],
    ],
    ['it is on its way for nearly 14 days', { createdAt: NOW - 14 * DAY + 1 }, [pendingTxn], waitingRow, []],
    ['it is on its way for 14 days', { createdAt: NOW - 14 * DAY }, [pendingTxn], escalatedRow, [NEEDS_PERSON_ALERT]],
    [
      'it settled after 14 days',
      { createdAt: NOW - 14 * DAY },
      [{ ...pendingTxn, state: 'approved' }],
      { state: 'approved' },
      [STATUS_FOUND],
    ],
    [
      'the provider does not answer for 14 days',
      { createdAt: NOW - 14 * DAY },
      'unavailable',
      escalatedRow,
      ['status-inquiry-failed', NEEDS_PERSON_ALERT],
    ],
    [
      'the provider does not answer once more',
      { emptyChecks: 6 },
      'unavailable',
      { ...waitingRow, emptyChecks: 6 },
      ['status-inquiry-failed'],
    ],
    [
      'another debit under its order id settled too',
      {},
      [pendingTxn, { ...pendingTxn, id: 't2', state: 'approved' }],
      { ...waitingRow, emptyChecks: 0 },
      [],
    ],
    [
      'another debit settled in its place',
      {},
      [{ ...pendingTxn, id: 't2', state: 'approved' }],
      { state: 'approved' },
      [STATUS_FOUND],
    ],
    [
      'two other debits are in its place',
      {},
      [
        { ...pendingTxn, id: 't2' },
        { ...pendingTxn, id: 't3' },
      ],
      { ...waitingRow, emptyChecks: 2 },
      [CONTRADICTED_ALERT],
    ],
    [
      'one of two other debits was declined',
      {},
      [
        { ...pendingTxn, id: 't2', state: 'declined' },
        { ...pendingTxn, id: 't3', state: 'approved' },
      ],
      { state: 'approved' },
      [STATUS_FOUND],
    ],
    [
      'one of two other debits was voided',
      {},
      [
        { ...pendingTxn, id: 't2', isVoided: true },
        { ...pendingTxn, id: 't3' },
      ],
      { ...waitingRow, emptyChecks: 0 },
      [],
    ],
    [
      'neither it nor a decline has an id',
      { providerTxnId: '' },
      [{ ...pendingTxn, id: '', attemptId: 'else', state: 'declined' }],
      { ...waitingRow, emptyChecks: 2 },
      [],
    ],
  ])('is updated from what the gateway shows: %s', async (_title, overrides, response, expected, logs) => {
    const result = await check(overrides, response);
    expect(result.row).toMatchObject(expected);
    expect(result.answer).toEqual(result.row);
    expect(result.logs).toEqual(logs);
  });

  it.each<[string, GatewayAnswer, Row]>([
    ['settled', [{ ...pendingTxn, state: 'approved' }], { state: 'approved' }],
    ['missing', [{ ...pendingTxn, id: 't2' }], { state: 'pending', emptyChecks: 2 }],
    ['unknown without an answer', 'unavailable', { state: 'pending', emptyChecks: 1 }],
  ])('is looked up by its own id when neither order nor key shows it: %s', async (_title, response, expected) => {
    const { deps, gateway, read } = await bareClinic(pendingDebit);
    gateway.script.find = (by) => {
      if (!('providerTxnId' in by)) return [];
      return typeof response === 'string' ? response : response.map(gatewayCharge);
    };
    await watchPendingDebit(deps, await read());
    expect(await read()).toMatchObject(expected);
  });

  it('is not matched to another debit when neither has an id', async () => {
    const { deps, gateway, read } = await bareClinic({ ...pendingDebit, providerTxnId: null });
    gateway.script.find = (by) =>
      'providerTxnId' in by ? [gatewayCharge({ ...pendingTxn, id: '', state: 'approved' })] : [];
    await watchPendingDebit(deps, await read());
    expect((await read()).state).toBe('pending');
  });

  it('is logged with its old and new state', async () => {
    const { fields } = await check({ emptyChecks: 5 }, []);
    expect(fields).toEqual([{ accountId: ACCOUNT, attemptId: 'a1', from: 'pending', to: 'needs_human' }]);
  });

  it('is logged when the gateway contradicts it', async () => {
    const result = await check({}, [{ ...pendingTxn, amountCents: 1 }]);
    expect(result.fields).toEqual([{ accountId: ACCOUNT, attemptId: 'a1', state: 'pending' }]);
  });

  it('is logged when the provider does not answer', async () => {
    const { fields } = await check({}, 'unavailable');
    const cause = 'the card provider does not answer';
    expect(fields).toEqual([{ clinic: 3, accountId: ACCOUNT, attemptId: 'a1', cause }]);
  });

  it('keeps a state that was set during the gateway lookup', async () => {
    const { db, deps, logs, read, show } = await bareClinic(pendingDebit);
    show([{ ...pendingTxn, state: 'approved' }]);
    const { find } = deps.gateway;
    deps.gateway.find = async (...args) => {
      await db.$client.prepare("UPDATE payment_attempts SET state = 'returned' WHERE state = 'pending'").run();
      return find(...args);
    };
    expect((await watchPendingDebit(deps, await read())).state).toBe('returned');
    expect(logs).toEqual([]);
  });

  it('is looked up once by concurrent callers', async () => {
    const { requests, deps, read } = await bareClinic(pendingDebit);
    expect(await watchPendingDebit(deps, { ...(await read()), checks: 1 })).toMatchObject({ checks: 2 });
    expect(requests).toEqual([]);
  });

  it('goes to manual review when its transaction is in the ledger for another attempt', async () => {
    const { addAttempt, addLedger, deps, read, show } = await bareClinic(pendingDebit);
    await addLedger(await addAttempt('2'), '2', { providerTxnId: 't1', method: 'ach' });
    show([{ ...pendingTxn, state: 'approved' }]);
    expect(await watchPendingDebit(deps, await read())).toMatchObject({ state: 'needs_human' });
  });

  it('stays pending when its outcome cannot be saved', async () => {
    const { db, deps, read, show } = await bareClinic(pendingDebit);
    show([{ ...pendingTxn, state: 'approved' }]);
    const failingTrigger =
      "CREATE TRIGGER broken BEFORE INSERT ON ledger BEGIN SELECT RAISE(ABORT, 'no more room'); END";
    await db.$client.prepare(failingTrigger).run();
    await expect(watchPendingDebit(deps, await read())).rejects.toThrow(/no more room/);
    await db.$client.prepare('DROP TRIGGER broken').run();
    expect((await read()).state).toBe('pending');
  });
});

describe('a bank debit in manual review', () => {
  const lookUp = (...all: GatewayTransaction[]) => ({ all }) as ChargeLookUp;
  const attempt = { providerTxnId: 't1' } as Attempt;
  const returnedTxn = gatewayCharge({ ...pendingTxn, state: 'returned', message: 'R01', providerCode: '1' });

  it('ends when everything the gateway shows for it has failed', () => {
    expect(moveForEscalatedDebit(lookUp(returnedTxn), attempt, NOW)).toEqual({
      to: 'returned',
      from: ['needs_human'],
      at: NOW,
      txn: returnedTxn,
      message: 'R01',
      providerCode: '1',
    });
  });

  it.each<[string, GatewayTransaction[], Row]>([
    ['it is on its way in one answer', [returnedTxn, gatewayCharge(pendingTxn)], {}],
    ['it is missing', [], {}],
    ['another debit was returned', [{ ...returnedTxn, id: 't2' }], {}],
    ['neither has an id', [{ ...returnedTxn, id: '' }], { providerTxnId: '' }],
  ])('stays in review when %s', (_title, all, overrides) => {
    expect(moveForEscalatedDebit(lookUp(...all), { ...attempt, ...overrides }, NOW)).toBeNull();
  });
});
