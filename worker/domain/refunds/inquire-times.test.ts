import { beforeEach, describe, expect, it } from 'vitest';
import { addCardPayment, addReversal, inquire } from '#tests/support/unit/lost-reversal';
import { ACCOUNT, add, addEntry, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, NOW, refundOf } from '#tests/support/unit/shown-gateway';
import { findReversal, findReversiblePayment } from '#worker/data/refunds/reversals';
import type { Deps } from '#worker/deps';
import { reconcileReversal, reconcileReversals } from './inquire-reversal-status.ts';

const DAY = 86_400_000;
/** The time after which a call counts as unanswered (ms). */
const CALL_MS = 15_000;
const txnOf = refundOf;
const escalationWith = (message: string) => ({ state: 'needs_human', message: expect.stringContaining(message) });

beforeEach(addCardPayment);

describe('a refund that the gateway does not show', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'for the third time, after its hold',
      { empty_checks: 2, hold_until: NOW },
      { state: 'not_done', nextCheckAt: NOW + DAY },
    ],
    ['for the second time, after its hold', { empty_checks: 1, hold_until: NOW }, { state: 'unknown', emptyChecks: 2 }],
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
  ])('is updated when it is missing %s', async (_title, row, expected) => {
    expect((await inquire(row, [])).reversal).toMatchObject(expected);
  });

  it('is not queried again when it counts as not done and was refused', async () => {
    const { reversal } = await inquire({ state: 'not_done' }, [txnOf({ state: 'declined' })]);
    expect(reversal).toMatchObject({ state: 'not_done', nextCheckAt: null, emptyChecks: 1 });
  });

  it('never goes to manual review once it counts as not done, however old', async () => {
    const { reversal } = await inquire({ state: 'not_done', created_at: 1 }, [txnOf({ state: 'other' })]);
    expect(reversal).toMatchObject({ state: 'not_done' });
  });

  it.each([
    ['after the usual pause', {}, NOW + 2_000],
    ['at the end of its hold, if that is sooner', { hold_until: NOW + 1_000 }, NOW + 1_000],
    ['after the usual pause, once its hold is over', { hold_until: NOW }, NOW + 2_000],
    ['after a longer pause each time', { checks: 2 }, NOW + 15_000],
    ['after the usual pause, as not done', { state: 'not_done', hold_until: NOW + 1_000 }, NOW + 2_000],
  ])('is looked up again %s', async (_title, row, nextCheckAt) => {
    const { reversal } = await inquire(row, 'unavailable');
    expect(reversal).toMatchObject({ nextCheckAt });
  });
});

describe('a sent refund', () => {
  const sentRow = { state: 'sent', created_at: NOW - CALL_MS };

  it('is not queried while its own call may still be answered', async () => {
    const { reversal, requests } = await inquire({ ...sentRow, created_at: NOW - CALL_MS + 1 }, []);
    expect([reversal.state, requests]).toEqual(['sent', []]);
  });

  it('becomes unknown once its call must have ended, and is queried at once', async () => {
    const { reversal, requests } = await inquire(sentRow, 'unavailable');
    expect(reversal).toMatchObject({ state: 'unknown', message: 'no answer was recorded', nextCheckAt: NOW + 2_000 });
    expect(requests).toEqual([{ attemptId: 'r1' }]);
  });

  it('is booked without a query when it was made in the provider’s portal', async () => {
    await add('gateway_transactions', { provider_txn_id: 'g7', method: 'card', at: NOW - DAY });
    const { reversal, booked, requests } = await inquire({ ...sentRow, provider_txn_id: 'g7' }, []);
    expect([reversal.state, requests]).toEqual(['approved', []]);
    expect(booked).toMatchObject([{ id: 'g7', at: NOW - DAY }]);
  });

  it('goes to manual review when it was made in the portal and is already booked', async () => {
    await addPayment('p2');
    await addEntry('p2', { provider_txn_id: 'g7', kind: 'refund', amount_cents: -1 });
    const { reversal, logs } = await inquire({ ...sentRow, provider_txn_id: 'g7' }, []);
    expect(reversal).toMatchObject(escalationWith('is already in our books'));
    expect(logs).toMatchObject([['ALERT reversal-needs-a-person', { from: 'sent', to: 'needs_human' }]]);
  });
});

describe('a refund inquiry', () => {
  /** Deps whose first write fails. */
  const depsFailingOnce = (deps: Deps): Deps => {
    let isDown = true;
    const batch: typeof db.batch = (statements) => {
      if (!isDown) return db.batch(statements);
      isDown = false;
      throw new Error('D1_ERROR: the object was reset');
    };
    return { ...deps, db: Object.assign(Object.create(db), { batch: async (statements: never) => batch(statements) }) };
  };

  it.each([
    ['unknown', {}],
    ['sent', { provider_txn_id: 'g1' }],
  ])('logs a database failure for a refund that is %s, and continues with the next', async (state, overrides) => {
    await addPayment('p2', { terminal_id: 't1' });
    await addReversal('r1', { state, ...overrides });
    await addReversal('r2', { attempt_id: 'p2', next_check_at: NOW - 1 });
    const { deps, logs } = depsWithGateway((by) =>
      'attemptId' in by && by.attemptId === 'r2' ? 'unavailable' : [txnOf()],
    );
    await reconcileReversals(depsFailingOnce(deps));
    expect(logs).toEqual([
      ['reversal-check-failed', expect.objectContaining({ reversalId: 'r2' })],
      ['reversal-check-failed', { clinic: 'c', reversalId: 'r1', cause: expect.stringContaining('was reset') }],
    ]);
    expect(await findReversal(db, 'r1')).toMatchObject({ state });
  });

  it('covers fifty refunds in one run', async () => {
    const numbers = 'WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 51)';
    await rowsOf(
      `${numbers} INSERT INTO payment_attempts (id, account_id, invoice_id, collection, terminal_id, channel, method,
          amount_cents, currency, invoice_number, dedupe_key, receipt_id, hold_until, created_at, state)
        SELECT 'm' || n, ?, 'm' || n, 1, 't1', 'link', 'card', 100, 'USD', '', '', 'm' || n, 1, 1, 'approved' FROM n`,
      ACCOUNT,
    );
    await rowsOf(
      `${numbers} INSERT INTO reversals (id, account_id, attempt_id, invoice_id, kind, amount_cents, dedupe_key, request_key,
          reason, requested_by, state, hold_until, next_check_at, created_at)
        SELECT 'r' || n, ?, 'm' || n, '', 'refund', 1, '', '', '', 1, 'unknown', 1, 1, 1 FROM n`,
      ACCOUNT,
    );
    const { deps, requests } = depsWithGateway('unavailable');
    await reconcileReversals(deps);
    expect(requests).toHaveLength(50);
  });

  it.each(['approved', 'refused', 'needs_human'])('skips a refund that is %s', async (state) => {
    const { reversal, requests } = await inquire({ state }, [txnOf()]);
    expect([reversal.state, requests]).toEqual([state, []]);
  });

  it('is made by only one of two concurrent runs', async () => {
    await addReversal('r1');
    const { deps, requests } = depsWithGateway([txnOf()]);
    const [reversal, reversible] = [await findReversal(db, 'r1'), await findReversiblePayment(db, ACCOUNT, 'p1')];
    if (!reversal || !reversible) throw new Error('not stored');
    expect(await reconcileReversal(deps, { ...reversal, checks: 9 }, reversible.attempt)).toMatchObject({ checks: 0 });
    expect(requests).toEqual([]);
  });
});
