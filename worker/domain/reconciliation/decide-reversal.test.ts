import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, type LookUpScript, NOW, refundOf } from '#tests/support/unit/shown-gateway';
import type { Deps } from '#worker/deps';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { resolveReversal } from './resolve-reversal.ts';

const DAY = 86_400_000;
const PAID_AT = NOW - 2 * DAY;
type Verdict = 'happened' | 'not-happened';

beforeEach(() => addClinic({ time_zone: 'UTC' }, 't1'));

const merchant = { sessionId: '', accountId: ACCOUNT, userId: 3, role: 'admin' } as const;
const decide = (deps: Deps, verdict: Verdict, id = 'r1', accountId = ACCOUNT) =>
  resolveReversal(deps, { ...merchant, accountId }, id, { verdict, note: 'Called' });

type Setup = { row?: Record<string, unknown>; payment?: Record<string, unknown>; booked?: string };

/** Decides on a refund of 30.00 in manual review, of a payment of 100.00, with this response of the gateway. */
async function decideAt(verdict: Verdict, response: LookUpScript, { row, payment, booked }: Setup = {}) {
  await addPayment('p1', { terminal_id: 't1', provider_txn_id: 'txn-p1', created_at: PAID_AT, ...payment });
  await addEntry('p1', { at: PAID_AT });
  if (booked) await addEntry('p1', { provider_txn_id: booked, kind: 'refund', amount_cents: -1, at: PAID_AT });
  await add('reversals', {
    id: 'r1',
    attempt_id: 'p1',
    request_key: 'r1',
    kind: 'refund',
    amount_cents: 3_000,
    dedupe_key: 'k1',
    state: 'needs_human',
    created_at: PAID_AT,
    ...row,
  });
  const { deps, logs } = depsWithGateway(response);
  const answer = await decide(deps, verdict);
  const entries = await rowsOf(
    "SELECT provider_txn_id AS id, amount_cents AS cents, at FROM ledger WHERE kind <> 'payment'",
  );
  const [storedReversal] = await rowsOf("SELECT state FROM reversals WHERE id = 'r1'");
  return { answer, entries, logs, state: storedReversal?.state };
}
const contradictionOf = (reason: string) => ({ kind: 'contradicted', why: expect.stringContaining(reason) });
const otherIds = { attemptId: 'else', dedupeKey: 'k2' };

describe('deciding that a refund happened', () => {
  it('books the refund and records the decision when the gateway shows it', async () => {
    const { answer, entries, logs, state } = await decideAt('happened', [refundOf()]);
    expect([answer, state]).toMatchObject([{ kind: 'resolved', reversal: { state: 'approved' } }, 'approved']);
    expect(entries).toEqual([{ id: 'g1', cents: -3_000, at: NOW - DAY }]);
    expect(logs[0]).toEqual(['reversal-resolved', { reversalId: 'r1', verdict: 'happened', userId: 3 }]);
    expect(await rowsOf('SELECT action FROM audit_events')).toEqual([{ action: 'reversal.resolved' }]);
    const decision = { reversal_id: 'r1', verdict: 'happened', note: 'Called', resolved_by: 3 };
    expect(await rowsOf('SELECT * FROM reversal_resolutions')).toMatchObject([decision]);
  });

  it.each<[string, GatewayTransaction[], string]>([
    ['nothing', [], 'shows no refund'],
    ['a refund with another order id and key', [refundOf(otherIds)], 'shows no refund'],
    ['a charge', [refundOf({ kind: 'SALE' })], 'shows no refund'],
    ['a declined refund', [refundOf({ state: 'declined' })], 'shows no refund'],
    ['a voided refund', [refundOf({ isVoided: true })], 'shows no refund'],
    ['a pending refund', [refundOf(), refundOf({ id: 'g2', state: 'pending' })], 'has not decided on it'],
    ['more than was paid', [refundOf({ amountCents: 10_001 })], 'a larger refund than what was left'],
    ['more in total than was paid', [refundOf(), refundOf({ id: 'g2', amountCents: 7_001 })], 'a larger refund than'],
  ])('is contradicted when the gateway shows %s', async (_title, response, reason) => {
    const { answer, entries, state } = await decideAt('happened', response);
    expect([answer, entries, state]).toMatchObject([contradictionOf(reason), [], 'needs_human']);
  });

  it.each<[string, Setup, string]>([
    ['it is already in our books', { booked: 'g1' }, 'shows no refund'],
    ['the payment was voided', { payment: { state: 'voided' } }, 'a larger refund than what was left'],
    ['less remains of the payment', { payment: { refunded_cents: 7_001 } }, 'a larger refund than what was left'],
  ])('is contradicted when %s', async (_title, setup, reason) => {
    expect((await decideAt('happened', [refundOf()], setup)).answer).toMatchObject(contradictionOf(reason));
  });

  it('books a refund of exactly the remaining amount', async () => {
    const { answer } = await decideAt('happened', [refundOf()], { payment: { refunded_cents: 7_000 } });
    expect(answer).toMatchObject({ kind: 'resolved' });
  });

  it.each<[string, GatewayTransaction[], string, number]>([
    ['the one with the requested amount', [refundOf({ id: 'g0', amountCents: 500 }), refundOf()], 'g1', -3_000],
    [
      'the first one, if no amount matches',
      [refundOf({ id: 'g0', amountCents: 500 }), refundOf({ amountCents: 400 })],
      'g0',
      -500,
    ],
    ['one with only its key', [refundOf({ attemptId: 'else' })], 'g1', -3_000],
    ['one with only its order id', [refundOf({ dedupeKey: 'k2' })], 'g1', -3_000],
  ])('books the refund that matches by amount, key or order id: %s', async (_title, response, id, cents) => {
    const { entries } = await decideAt('happened', response);
    expect(entries).toContainEqual(expect.objectContaining({ id, cents }));
  });
});

describe('deciding that a refund did not happen', () => {
  it.each<[string, GatewayTransaction[]]>([
    ['nothing', []],
    ['the refund in an unknown state', [refundOf({ state: 'other' })]],
  ])('marks the refund not done when the gateway shows %s', async (_title, response) => {
    const { answer, entries, state } = await decideAt('not-happened', response);
    expect([answer, entries, state]).toMatchObject([{ kind: 'resolved' }, [], 'not_done']);
  });

  it.each<[string, GatewayTransaction[], string]>([
    ['the refund', [refundOf()], 'shows a refund'],
    ['the refund as pending', [refundOf({ state: 'pending' })], 'has not decided on it'],
  ])('is contradicted when the gateway shows %s', async (_title, response, reason) => {
    expect((await decideAt('not-happened', response)).answer).toMatchObject(contradictionOf(reason));
  });
});

describe('deciding that a void happened', () => {
  const row = { kind: 'void', amount_cents: 10_000 };
  const payment = { refunded_cents: 1_000 };
  const sale = (overrides: Partial<GatewayTransaction>) =>
    refundOf({ id: 'txn-p1', attemptId: 'p1', kind: 'SALE', amountCents: 10_000, createdAt: PAID_AT, ...overrides });

  it.each<[string, GatewayTransaction, { id: string; at: number }]>([
    ['by a separate transaction', refundOf({ kind: 'void' }), { id: 'g1', at: NOW - DAY }],
    ['by the payment, which is marked as voided', sale({ isVoided: true }), { id: 'txn-p1-void', at: NOW }],
  ])('books the whole remaining amount when the gateway shows it %s', async (_title, response, entry) => {
    const { answer, entries } = await decideAt('happened', [response], { row, payment });
    expect([answer, entries]).toMatchObject([{ kind: 'resolved' }, [{ ...entry, cents: -9_000 }]]);
  });

  it.each<[string, GatewayTransaction]>([
    ['a void that was declined', refundOf({ kind: 'VOID', state: 'declined' })],
    ['another transaction', refundOf({ kind: 'SALE', isVoided: true })],
    ['the payment, not marked as voided', sale({})],
    ['another payment marked as voided', sale({ id: 'txn-p2', isVoided: true })],
  ])('is contradicted when the gateway shows %s', async (_title, response) => {
    const { answer } = await decideAt('happened', [response], { row, payment });
    expect(answer).toMatchObject(contradictionOf('shows no refund'));
  });

  it('is contradicted when the payment is no longer approved', async () => {
    const { answer } = await decideAt('happened', [sale({ isVoided: true })], { row, payment: { state: 'voided' } });
    expect(answer).toMatchObject(contradictionOf('shows no refund'));
  });
});

describe('a decision on a refund or void', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['refund', {}, 'attemptId'],
    ['refund', {}, 'dedupeKey'],
    ['void', { kind: 'void' }, 'providerTxnId'],
  ])('is unavailable for a %s while the gateway does not answer', async (_title, row, unansweredKey) => {
    const answerLookUp = (by: object) => (unansweredKey in by ? ('unavailable' as const) : []);
    expect((await decideAt('happened', answerLookUp, { row })).answer).toEqual({ kind: 'unavailable' });
  });

  it('is made only once', async () => {
    const decidedAnswer = { kind: 'contradicted', why: 'This is already decided.' };
    expect((await decideAt('happened', [refundOf()], { row: { state: 'approved' } })).answer).toEqual(decidedAnswer);
  });

  it('is rejected when another decision was faster', async () => {
    const decideFirst = (by: object) => {
      if ('dedupeKey' in by) void rowsOf("UPDATE reversals SET state = 'not_done' WHERE id = 'r1'");
      return [];
    };
    const { answer } = await decideAt('not-happened', decideFirst);
    expect(answer).toEqual({ kind: 'contradicted', why: 'This is already decided.' });
  });

  it('returns not-found for another account or an unknown reversal', async () => {
    const { deps } = depsWithGateway([]);
    await decideAt('happened', []);
    expect(await decide(deps, 'happened', 'r1', ACCOUNT + 1)).toEqual({ kind: 'not-found' });
    expect(await decide(deps, 'happened', 'r9')).toEqual({ kind: 'not-found' });
  });

  it('fails when the database fails, and asks to check again when our books reject the entry', async () => {
    await decideAt('happened', []);
    const depsFailingWith = (message: string): Deps => {
      const batch = async () => {
        throw new Error(message);
      };
      return { ...depsWithGateway([refundOf()]).deps, db: Object.assign(Object.create(db), { batch }) };
    };
    await expect(decide(depsFailingWith('D1_ERROR: reset'), 'happened')).rejects.toThrow('reset');
    expect(await decide(depsFailingWith('UNIQUE constraint failed: ledger'), 'happened')).toMatchObject(
      contradictionOf('Our books have changed in the meantime'),
    );
  });
});
