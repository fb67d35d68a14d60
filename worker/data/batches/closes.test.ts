import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, db, eventOf, readAuditActions } from '#tests/support/unit/rows';
import type { BatchClose } from '#worker/data/schema/payments';
import { claimClose, findClose, listCloses, listOpenCloses, settleClose } from './batches.ts';

type State = BatchClose['state'];

const TERMINAL = { accountId: ACCOUNT, terminalId: 't1' };
const keyOf = (batchId: string, terminalId = 't1') => ({ accountId: ACCOUNT, terminalId, batchId });

beforeEach(() => addClinic({}, 't1', 't2'));

const addClose = (batch_id: string, state: State, overrides: Record<string, unknown> = {}) =>
  add('batch_closes', { terminal_id: 't1', batch_id, state, requested_by: 1, requested_at: 1, ...overrides });

/** A request to close batch 7 at 1000. */
const claim = (earliest: { at: number; anyBatch: boolean } = { at: 900, anyBatch: false }) =>
  claimClose(db, { ...keyOf('7'), requestedBy: 2, requestedAt: 1000 }, earliest, eventOf('batch-close.claimed'));

describe('claiming the close of a batch', () => {
  it('succeeds once and writes one event', async () => {
    expect(await claim()).toBe(true);
    expect(await claim()).toBe(false);
    expect(await listCloses(db, TERMINAL, 10)).toEqual([
      { ...keyOf('7'), state: 'sent', requestedBy: 2, requestedAt: 1000, endedAt: null, message: '' },
    ]);
    expect(await readAuditActions()).toEqual(['batch-close.claimed']);
  });

  it('succeeds again when the last close of that batch failed, and changes no other close', async () => {
    await addClose('7', 'failed', { ended_at: 899, message: 'Batch failure' });
    await addClose('6', 'failed', { ended_at: 800 });
    await addClose('7', 'failed', { ended_at: 800, terminal_id: 't2' });
    expect(await claim()).toBe(true);
    expect(await findClose(db, keyOf('7'))).toMatchObject({
      state: 'sent',
      requestedBy: 2,
      endedAt: null,
      message: '',
    });
    expect(await findClose(db, keyOf('6'))).toMatchObject({ state: 'failed', requestedBy: 1 });
    expect(await findClose(db, keyOf('7', 't2'))).toMatchObject({ state: 'failed', requestedBy: 1 });
    expect(await readAuditActions()).toEqual(['batch-close.claimed']);
  });

  it.each<[State, number | null]>([
    ['closed', 800],
    ['processing', null],
  ])('fails when the close of the batch is %s', async (state, ended_at) => {
    await addClose('7', state, { ended_at });
    expect(await claim()).toBe(false);
    expect(await findClose(db, keyOf('7'))).toMatchObject({ state, requestedBy: 1 });
  });

  it.each<[State, isMade: boolean]>([
    ['sent', false],
    ['unknown', false],
    ['processing', true],
    ['closed', true],
    ['failed', true],
  ])('returns the right result when the close of another batch is %s: %s', async (state, isClaimed) => {
    await addClose('6', state);
    expect(await claim()).toBe(isClaimed);
  });

  it.each<State>(['sent', 'unknown'])(
    'does not succeed again while the close of another batch is %s',
    async (state) => {
      await addClose('7', 'failed', { ended_at: 899 });
      await addClose('6', state);
      expect(await claim()).toBe(false);
      expect(await findClose(db, keyOf('7'))).toMatchObject({ state: 'failed' });
    },
  );

  it('ignores the closes of another terminal', async () => {
    await addClose('6', 'sent', { terminal_id: 't2', ended_at: null });
    await addClose('5', 'closed', { terminal_id: 't2', ended_at: 950 });
    expect(await claim({ at: 900, anyBatch: true })).toBe(true);
  });

  it.each([
    ['another batch ended at that time, and any batch counts', '6', 900, true, false],
    ['another batch ended earlier', '6', 899, true, true],
    ['another batch ended at that time, and only the same batch counts', '6', 900, false, true],
    ['the same batch ended at that time', '7', 900, false, false],
    ['the same batch ended earlier', '7', 899, false, true],
  ])('respects the time limit when %s', async (_title, batchId, ended_at, anyBatch, isClaimed) => {
    await addClose(batchId, 'failed', { ended_at });
    expect(await claim({ at: 900, anyBatch })).toBe(isClaimed);
  });
});

describe('the outcome of a close', () => {
  const settle = (from: State[], state: State, message?: string) =>
    settleClose(
      db,
      keyOf('7'),
      from,
      { state, at: 2000, ...(message === undefined ? {} : { message }) },
      eventOf('batch-close.moved'),
    );

  it.each<[State, string | undefined, number | null]>([
    ['closed', undefined, 2000],
    ['failed', 'Batch failure', 2000],
    ['processing', undefined, 2000],
    ['unknown', 'TimeoutError', null],
  ])('is saved as %s, with its end time unless it is unknown', async (state, message, endedAt) => {
    await addClose('7', 'sent');
    await settle(['sent'], state, message);
    expect(await findClose(db, keyOf('7'))).toMatchObject({ state, endedAt, message: message ?? '' });
    expect(await readAuditActions()).toEqual(['batch-close.moved']);
  });

  it('is not saved for a close that has left the expected state, or for another close', async () => {
    await addClose('7', 'unknown');
    await addClose('6', 'closed');
    await addClose('7', 'sent', { terminal_id: 't2' });
    await settle(['sent'], 'failed');
    expect(await readAuditActions()).toEqual([]);
    await settle(['unknown'], 'failed');
    const states = await Promise.all([keyOf('7'), keyOf('6'), keyOf('7', 't2')].map((key) => findClose(db, key)));
    expect(states.map((close) => close?.state)).toEqual(['failed', 'closed', 'sent']);
  });
});

it('lists a terminal’s newest closes up to a limit, and the closes whose outcome is open', async () => {
  const states: State[] = ['closed', 'failed', 'processing', 'sent'];
  for (const [at, state] of states.entries()) await addClose(String(at), state, { requested_at: at });
  await addClose('9', 'unknown', { requested_at: 9, terminal_id: 't2' });
  const ids = (closes: BatchClose[]) => closes.map(({ batchId }) => batchId);
  expect(ids(await listCloses(db, TERMINAL, 3))).toEqual(['3', '2', '1']);
  expect(ids(await listOpenCloses(db, TERMINAL)).sort()).toEqual(['2', '3']);
  expect(ids(await listOpenCloses(db, { accountId: ACCOUNT, terminalId: 't2' }))).toEqual(['9']);
  expect(await findClose(db, keyOf('9'))).toBeUndefined();
});
