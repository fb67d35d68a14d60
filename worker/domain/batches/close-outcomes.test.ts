import { beforeEach, describe, expect, it } from 'vitest';
import { type BatchList, batch, closeOf, NOW, pressClose } from '#tests/support/unit/press-close';
import { ACCOUNT, addClinic, db } from '#tests/support/unit/rows';
import type { CloseOutcome } from '#worker/vendors/gateway-port';
import { findClosableBatch } from './close.ts';

beforeEach(() => addClinic({}, 't1'));

describe('the outcome of a batch close', () => {
  const openList = [batch('7')];

  it.each(['closed', 'processing'] as const)('is returned with its batch when it is %s', async (kind) => {
    const closedBatch = batch('7', 'closed');
    const { answer, read, logs } = await pressClose('7', { lists: [openList], outcome: { kind, batch: closedBatch } });
    expect([answer, read]).toEqual([{ kind, batchId: '7', batch: closedBatch }, 1]);
    expect(await closeOf()).toMatchObject({ state: kind, message: '', requestedBy: 2, requestedAt: NOW });
    expect(logs).toEqual([['batch-close', { terminalId: 't1', batchId: '7', state: kind }]]);
  });

  it('is returned with the reason when the close failed', async () => {
    const outcome = { kind: 'failed', message: 'No', providerCode: '' } as const;
    const { answer, read } = await pressClose('7', { lists: [openList], outcome });
    expect([answer, read]).toEqual([{ kind: 'failed', batchId: '7', message: 'No' }, 1]);
    expect(await closeOf()).toMatchObject({ state: 'failed', message: 'No' });
  });

  it.each<[string, CloseOutcome, string]>([
    ['there was nothing to close', { kind: 'nothing-open' }, ''],
    ['the provider did not answer', { kind: 'unknown', cause: 'T'.repeat(201) }, 'T'.repeat(200)],
    ['another batch was closed', { kind: 'closed', batch: batch('6', 'closed') }, ''],
    ['another batch is being closed', { kind: 'processing', batch: batch('6', 'pending') }, ''],
  ])('is unknown when %s', async (_title, outcome, message) => {
    const { answer, read, logs } = await pressClose('7', { lists: [openList], outcome });
    expect([answer, read]).toEqual([{ kind: 'unknown', batchId: '7' }, 2]);
    expect(await closeOf()).toMatchObject({ state: 'unknown', message, endedAt: null });
    const alert = ['another-batch-closed', { accountId: ACCOUNT, terminalId: 't1', claimed: '7', closed: '6' }];
    expect(logs.filter(([event]) => event !== 'batch-close')).toEqual('batch' in outcome ? [alert] : []);
  });

  it.each<[string, BatchList, string, string]>([
    ['closed', [batch('7', 'closed')], 'closed', 'closed'],
    ['being closed', [batch('7', 'pending')], 'processing', 'processing'],
  ])('is taken from the batch list when the batch is %s there', async (_title, list, kind, state) => {
    const { answer } = await pressClose(null, { lists: [openList, list], outcome: { kind: 'unknown', cause: '' } });
    expect(answer).toEqual({ kind, batchId: '7', batch: list[0] });
    expect(await closeOf()).toMatchObject({ state });
  });

  it('is unknown when the batch list cannot be read either', async () => {
    const lostClose = { lists: [openList, 'unavailable' as const], outcome: { kind: 'unknown' as const, cause: '' } };
    expect((await pressClose(null, lostClose)).answer).toEqual({ kind: 'unknown', batchId: '7' });
  });

  it('is unknown and raises an alert when it cannot be saved', async () => {
    let writes = 0;
    const failAfterFirst: typeof db.batch = (statements) => {
      if (++writes > 1) throw new Error('D1_ERROR: the object was reset');
      return db.batch(statements);
    };
    const database = Object.assign(Object.create(db), {
      batch: async (statements: never) => failAfterFirst(statements),
    }) as typeof db;
    const outcome = { kind: 'closed', batch: batch('7', 'closed') } as const;
    const { answer, logs } = await pressClose(null, { lists: [openList], outcome, database });
    expect([answer, writes]).toEqual([{ kind: 'unknown', batchId: '7' }, 3]);
    const fields = { accountId: ACCOUNT, terminalId: 't1', batchId: '7', cause: expect.stringContaining('was reset') };
    expect(logs).toEqual([['batch-close-not-noted', fields]]);
  });
});

it('the batch to close is the open one, otherwise one that failed, otherwise none', () => {
  const [openBatch, failedBatch] = [batch('8'), batch('7', 'failed')];
  expect(findClosableBatch([failedBatch, openBatch, batch('6', 'closed')])).toBe(openBatch);
  expect(findClosableBatch([batch('6', 'closed'), failedBatch])).toBe(failedBatch);
  expect(findClosableBatch([batch('6', 'closed'), batch('5', 'pending'), batch('4', 'other')])).toBeUndefined();
});
