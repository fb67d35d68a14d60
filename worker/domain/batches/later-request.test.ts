import { beforeEach, describe, expect, it } from 'vitest';
import { addClose, type BatchList, batch, NOW, pressClose } from '#tests/support/unit/press-close';
import { addClinic, rowsOf } from '#tests/support/unit/rows';

beforeEach(() => addClinic({}, 't1'));

describe('a close request when nothing can be closed and no close is recorded', () => {
  it.each<[string, string | null, BatchList, Record<string, unknown>]>([
    ['no batch', null, [], { kind: 'nothing-open' }],
    ['a batch that is being closed', null, [batch('7', 'pending')], { kind: 'processing', batchId: '7' }],
    ['a closed batch', null, [batch('7', 'closed')], { kind: 'nothing-open' }],
    ['batches without the requested one', '6', [batch('7')], { kind: 'no-batch' }],
    ['the requested one as closed', '6', [batch('7'), batch('6', 'closed')], { kind: 'closed', batchId: '6' }],
    ['the requested one as being closed', '6', [batch('6', 'pending')], { kind: 'processing', batchId: '6' }],
    ['the requested one in another state', '6', [batch('6', 'other')], { kind: 'nothing-open' }],
  ])('closes nothing when the list shows %s', async (_title, confirmedId, list, expected) => {
    const { answer, closes, pauses } = await pressClose(confirmedId, { lists: [list] });
    expect(answer).toMatchObject(expected);
    expect([closes, pauses]).toEqual([0, []]);
  });
});

describe('a close request when a close is already recorded', () => {
  const nextBatchList = [batch('8'), batch('7', 'closed')];

  it.each<[string, string | null, [string, string, Record<string, unknown>?][], Record<string, unknown>]>([
    ['its own close', '7', [['7', 'closed']], { kind: 'closed', batchId: '7' }],
    [
      'its own close rather than a close under way',
      '7',
      [
        ['7', 'processing'],
        ['8', 'sent'],
      ],
      { kind: 'closed', batchId: '7' },
    ],
    [
      'a close under way if its own failed',
      '7',
      [
        ['7', 'failed'],
        ['8', 'unknown'],
      ],
      { kind: 'unknown', batchId: '8' },
    ],
    [
      'its own failed close',
      '7',
      [['7', 'failed', { message: 'No' }]],
      { kind: 'failed', batchId: '7', message: 'No' },
    ],
    [
      'a close under way',
      null,
      [
        ['6', 'closed', { ended_at: NOW }],
        ['8', 'unknown'],
      ],
      { kind: 'unknown', batchId: '8' },
    ],
    [
      'a close that ended half a second before',
      null,
      [['7', 'closed', { ended_at: NOW - 500 }]],
      { kind: 'closed', batchId: '7' },
    ],
  ])('reports %s', async (_title, confirmedId, closes, expected) => {
    for (const close of closes) await addClose(...close);
    const result = await pressClose(confirmedId, { lists: [nextBatchList] });
    expect(result.answer).toMatchObject(expected);
    expect(result.closes).toBe(0);
  });

  it('closes the next batch when the last close ended more than half a second before', async () => {
    await addClose('7', 'closed', { ended_at: NOW - 501 });
    const outcome = { kind: 'closed', batch: batch('8', 'closed') } as const;
    expect((await pressClose(null, { lists: [nextBatchList], outcome })).answer).toMatchObject({
      kind: 'closed',
      batchId: '8',
    });
  });

  it('closes the requested batch again when its last close just failed', async () => {
    await addClose('8', 'failed', { ended_at: NOW - 1 });
    const outcome = { kind: 'closed', batch: batch('8', 'closed') } as const;
    expect((await pressClose('8', { lists: [nextBatchList], outcome })).closes).toBe(1);
  });

  it('considers only the last twenty closes', async () => {
    for (let n = 1; n <= 20; n++) await addClose(`n${n}`, 'closed', { requested_at: NOW + n });
    await addClose('5', 'closed');
    expect((await pressClose('5', { lists: [[batch('5', 'other')]] })).answer).toEqual({ kind: 'nothing-open' });
  });

  it('uses the time of the request, not of its claim', async () => {
    await addClose('7', 'closed', { ended_at: NOW - 2_000 });
    const { answer, closes } = await pressClose(null, { lists: [nextBatchList], at: NOW - 1_500 });
    expect([answer, closes]).toMatchObject([{ kind: 'closed', batchId: '7' }, 0]);
  });

  it.each<[string, string, BatchList, BatchList, Record<string, unknown>, read: number]>([
    ['as the list shows it', 'closed', nextBatchList, [], { kind: 'closed', batch: batch('7', 'closed') }, 1],
    [
      'as a newer list shows it',
      'processing',
      [batch('7', 'pending')],
      nextBatchList,
      { kind: 'closed', batch: batch('7', 'closed') },
      2,
    ],
    ['as our record has it', 'closed', [batch('7')], [batch('7')], { kind: 'closed', batch: batch('7') }, 2],
    [
      'as being closed',
      'processing',
      [batch('7', 'pending')],
      [batch('7', 'pending')],
      { kind: 'processing', batch: batch('7', 'pending') },
      2,
    ],
    [
      'as our record has it, without a list',
      'closed',
      [batch('6', 'closed')],
      'unavailable',
      { kind: 'closed', batch: null },
      2,
    ],
    [
      'as our record has it, if the list lacks it',
      'closed',
      [batch('6', 'closed')],
      [batch('6', 'closed')],
      { kind: 'closed', batch: null },
      2,
    ],
  ])('reports the close %s', async (_title, state, first, second, expected, read) => {
    await addClose('7', state);
    const result = await pressClose('7', { lists: [first, second] });
    expect(result).toMatchObject({ answer: { ...expected, batchId: '7' }, read });
  });
});

describe('a close request while another close is under way', () => {
  it('waits up to twelve seconds for the outcome', async () => {
    await addClose('7', 'sent');
    const { answer, pauses } = await pressClose('7', { lists: [[batch('7')]] });
    expect(answer).toEqual({ kind: 'unknown', batchId: '7' });
    expect(pauses).toEqual(Array.from({ length: 48 }, () => 250));
  });

  it('returns the outcome as soon as it is known', async () => {
    await addClose('7', 'sent');
    const onPause = () => rowsOf("UPDATE batch_closes SET state = 'failed', message = 'No', ended_at = 1");
    const { answer, pauses } = await pressClose('7', { lists: [[batch('7')]], onPause });
    expect([answer, pauses]).toEqual([{ kind: 'failed', batchId: '7', message: 'No' }, [250]]);
  });
});
