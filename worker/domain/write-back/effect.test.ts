import { beforeEach, describe, expect, it } from 'vitest';
import {
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
import type { CrmBalance } from '#worker/vendors/hubspot/payment-records-port';
import { isReflected, readEffect } from './effect.ts';

beforeEach(addBookedPayment);

/**
 * The effect that the last read of a record's balance stores, and whether records now count as moving balances, in the
 * settings (`learnt`) and in the connection (`line`).
 */
async function effectOf(row: Record<string, unknown>, balance: CrmBalance | null) {
  await addWrite('w1', { state: 'written', looks: 2, ...row });
  const { connection } = connectCrm({ balance, moves: null });
  await readEffect(depsAt(), connection, await dueRow('w1'));
  const { effect, next_try_at } = (await storedWrite('w1')) ?? {};
  return { effect, next_try_at, learnt: (await storedSettings())?.moves_balance, line: connection.movesBalance };
}

describe('the effect of a CRM record', () => {
  it.each<[string, Record<string, unknown>, CrmBalance | null, string, number | null]>([
    ['a paid invoice', { balance_cents: 10_000 }, balanceOf(null, { isPaid: true }), 'paid', 1],
    ['nothing owed now', { balance_cents: 10_000 }, balanceOf(0), 'paid', 1],
    ['less owed than before', { balance_cents: 10_000 }, balanceOf(9_999), 'balance_moved', 1],
    ['as much owed as before', { balance_cents: 10_000 }, balanceOf(10_000), 'nothing_moved', 0],
    ['a balance that cannot be read', { balance_cents: 10_000 }, balanceOf(null), 'nothing_moved', null],
    ['no invoice', { balance_cents: 10_000 }, null, 'nothing_moved', null],
    ['less owed than billed, no earlier balance', { balance_cents: null }, balanceOf(9_999), 'balance_moved', null],
    ['as much owed as billed, no earlier balance', { balance_cents: null }, balanceOf(10_000), 'nothing_moved', null],
    [
      'an amount owed, no earlier or billed amount',
      { balance_cents: null },
      balanceOf(5, { billedCents: null }),
      'nothing_moved',
      null,
    ],
    ['a paid invoice, no earlier balance', { balance_cents: null }, balanceOf(0, { isPaid: true }), 'paid', null],
    ['a refund: more owed', { kind: 'reversal', balance_cents: 500 }, balanceOf(501), 'balance_moved', null],
    ['a refund: as much owed', { kind: 'reversal', balance_cents: 500 }, balanceOf(500), 'nothing_moved', null],
    ['a refund: more owed, no earlier balance', { kind: 'reversal' }, balanceOf(501), 'nothing_moved', null],
    ['a refund: paid', { kind: 'reversal', balance_cents: 0 }, balanceOf(0, { isPaid: true }), 'nothing_moved', null],
  ])('is derived from %s', async (_title, row, balance, effect, learnt) => {
    const isLearned = learnt === null ? null : learnt === 1;
    expect(await effectOf(row, balance)).toEqual({ effect, next_try_at: null, learnt, line: isLearned });
  });

  it.each([
    [0, 1, 60_000],
    [1, 2, 600_000],
  ])('is looked up again while the balance has not changed: after %i lookups', async (looks, nextLooks, pause) => {
    await addWrite('w1', { state: 'written', looks, balance_cents: 10_000 });
    const { connection } = connectCrm({ moves: null });
    expect(await readEffect(depsAt(), connection, await dueRow('w1'))).toBe('go-on');
    expect(await storedWrite('w1')).toMatchObject({ looks: nextLooks, next_try_at: NOW + pause, effect: '' });
    expect(await storedSettings()).toMatchObject({ moves_balance: null });
  });

  it('is known at the first lookup if the balance has changed', async () => {
    await addWrite('w1', { state: 'written', looks: 0, balance_cents: 10_000 });
    await readEffect(depsAt(), connectCrm({ balance: balanceOf(1) }).connection, await dueRow('w1'));
    expect(await storedWrite('w1')).toMatchObject({ effect: 'balance_moved', next_try_at: null });
  });
});

it.each([
  ['paid', true],
  ['balance_moved', true],
  ['nothing_moved', false],
  ['', false],
  [null, false],
] as const)('counts a record with the effect %s as reflected in the balance: %s', (effect, expected) => {
  expect(isReflected({ effect })).toBe(expected);
});
