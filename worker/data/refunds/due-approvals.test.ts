import { beforeEach, describe, expect, it } from 'vitest';
import { add, addClinic, addEntry, addPayment, db, eventOf, readAuditActions, rowsOf } from '#tests/support/unit/rows';
import { listDueApprovals, markCarriedOut, postponeApproval, undoApproval } from './approvals.ts';

beforeEach(async () => {
  await addClinic();
  for (const id of ['p1', 'p2']) await addPayment(id);
});

const addApproval = (id: string, overrides: Record<string, unknown> = {}) =>
  add('approvals', {
    id,
    attempt_id: 'p1',
    kind: 'refund',
    amount_cents: 700,
    request_key: id,
    requested_by: 1,
    requested_at: 100,
    ends_at: 1000,
    next_try_at: 1000,
    ...overrides,
  });
const addApproved = (id: string, overrides: Record<string, unknown> = {}) =>
  addApproval(id, { state: 'approved', decided_by: 2, decided_at: 200, next_try_at: 300, ...overrides });
const addReversal = (request_key: string, overrides: Record<string, unknown> = {}) =>
  add('reversals', { id: request_key, attempt_id: 'p1', request_key, kind: 'refund', state: 'approved', ...overrides });
const readStored = () => rowsOf('SELECT id, state, decided_by, next_try_at FROM approvals ORDER BY id');
const listDue = async (at = 300) => await listDueApprovals(db, at, 10);

describe('due approvals', () => {
  it('are those whose time has come, longest due first, up to a limit', async () => {
    await addApproval('x1', { next_try_at: 300 });
    await addApproval('x2', { next_try_at: 299, attempt_id: 'p2' });
    await addApproval('x3', { next_try_at: 301, state: 'ended' });
    await addApproval('x4', { next_try_at: null, state: 'ended' });
    expect((await listDue()).map(({ id }) => id)).toEqual(['x2', 'x1']);
    expect((await listDueApprovals(db, 300, 1)).map(({ id }) => id)).toEqual(['x2']);
  });

  it('are not overtaken when nothing has happened since', async () => {
    await addApproved('x1');
    await addEntry('p1', { at: 250 });
    expect(await listDue()).toMatchObject([{ id: 'x1', isOvertaken: false, became: null }]);
  });

  it.each([
    ['another request made a refund', 'other', { created_at: 200 }, true],
    ['another request made a refund earlier', 'other', { created_at: 199 }, false],
    ['another payment was refunded', 'other', { created_at: 200, attempt_id: 'p2' }, false],
    ['its own refund started', 'x1', { created_at: 200 }, false],
  ])('are overtaken only by a later reversal of the same payment: %s', async (_title, key, overrides, isOvertaken) => {
    await addApproved('x1');
    await addReversal(key, overrides);
    expect(await listDue()).toMatchObject([{ isOvertaken, became: key === 'x1' ? 'approved' : null }]);
  });

  it.each([
    ['a refund was booked after the request', { kind: 'refund', at: 100 }, true],
    ['a refund was booked earlier', { kind: 'refund', at: 99 }, false],
    ['another payment’s refund is booked', { kind: 'refund', at: 200, attempt_id: 'p2' }, false],
    ['the payment is booked', { kind: 'payment', at: 200 }, false],
  ])('are overtaken only by a later refund entry of the same payment: %s', async (_title, overrides, isOvertaken) => {
    await addApproved('x1');
    await addEntry('p1', overrides);
    expect(await listDue()).toMatchObject([{ isOvertaken }]);
  });

  it.each([
    ['another approval was requested', { requested_at: 200 }, true],
    ['another approval was requested earlier', { requested_at: 199 }, false],
    ['an approval for another payment was requested', { requested_at: 200, attempt_id: 'p2' }, false],
  ])('are overtaken only by a later request for the same payment: %s', async (_title, overrides, isOvertaken) => {
    await addApproved('x1', { requested_at: 200 });
    await addApproval('x2', overrides);
    expect(await listDue()).toMatchObject([{ id: 'x1', isOvertaken }]);
  });

  it('are not overtaken while they wait', async () => {
    await addApproval('x1', { next_try_at: 300, decided_at: 200 });
    await addReversal('other', { created_at: 250 });
    expect(await listDue()).toMatchObject([{ isOvertaken: false }]);
  });

  it('have started once their own refund of their own payment was claimed', async () => {
    await addApproved('x1');
    await addReversal('x1', { attempt_id: 'p2' });
    expect(await listDue()).toMatchObject([{ became: null }]);
    await addReversal('x1', { id: 'r2' });
    expect(await listDue()).toMatchObject([{ became: 'approved' }]);
  });

  it('are finished once carried out, and retried later after a failure', async () => {
    await addApproved('x1');
    await addApproved('x2', { attempt_id: 'p2' });
    await addApproval('x3');
    await postponeApproval(db, 'x1', 400);
    await postponeApproval(db, 'x3', 400);
    expect(await readStored()).toMatchObject([{ next_try_at: 400 }, { next_try_at: 300 }, { next_try_at: 1000 }]);
    await markCarriedOut(db, 'x1');
    await postponeApproval(db, 'x1', 500);
    expect(await readStored()).toMatchObject([{ next_try_at: null }, { next_try_at: 300 }, { next_try_at: 1000 }]);
  });
});

describe('undoing an approval', () => {
  const undo = (to: 'waiting' | 'ended', from: 'waiting' | 'approved' = 'approved', now = 500) =>
    undoApproval(db, { id: 'x1', from, to, now }, (state) =>
      eventOf(state === 'waiting' ? 'approval.asked' : 'approval.decided'),
    );

  it('lets it wait again until its week ends', async () => {
    await addApproved('x1');
    await addApproved('x2', { attempt_id: 'p2' });
    expect(await undo('waiting')).toBe('waiting');
    expect(await readStored()).toEqual([
      { id: 'x1', state: 'waiting', decided_by: null, next_try_at: 1000 },
      { id: 'x2', state: 'approved', decided_by: 2, next_try_at: 300 },
    ]);
    expect(await readAuditActions()).toEqual(['approval.asked']);
  });

  it.each([
    ['its week is over', 1000, 'p2', 'ended'],
    ['its week is nearly over', 999, 'p2', 'waiting'],
    ['another request for its payment waits', 500, 'p1', 'ended'],
  ])('lets it wait again or ends it when %s', async (_title, now, attempt_id, expectedState) => {
    await addApproved('x1');
    await addApproval('x2', { attempt_id });
    expect(await undo('waiting', 'approved', now)).toBe(expectedState);
    expect(await readStored()).toMatchObject([{ state: expectedState }, { id: 'x2', state: 'waiting' }]);
  });

  it('lets it wait again even if another approval of its payment was decided', async () => {
    await addApproved('x1');
    await addApproval('x2', { state: 'refused' });
    expect(await undo('waiting')).toBe('waiting');
  });

  it('ends an approval without a result, even if it could wait again', async () => {
    await addApproved('x1');
    expect(await undo('ended')).toBe('ended');
  });

  it('ends a waiting approval', async () => {
    await addApproval('x1');
    await addApproval('x2', { attempt_id: 'p2' });
    expect(await undo('ended', 'waiting')).toBe('ended');
    expect(await readStored()).toMatchObject([{ state: 'ended', next_try_at: null }, { state: 'waiting' }]);
    expect(await readAuditActions()).toEqual(['approval.decided']);
  });

  it('changes no approval that has left the expected state or whose refund has started', async () => {
    await addApproved('x1');
    expect(await undo('ended', 'waiting')).toBeUndefined();
    await addReversal('x1');
    expect(await undo('waiting')).toBeUndefined();
    expect(await undo('ended')).toBeUndefined();
    expect([await readStored(), await readAuditActions()]).toMatchObject([[{ state: 'approved' }], []]);
  });
});
