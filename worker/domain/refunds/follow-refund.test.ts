import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, NOW } from '#tests/support/unit/shown-gateway';
import { correctRefund } from './correct-refund.ts';

beforeEach(async () => {
  await addClinic({ time_zone: 'UTC' });
  await addPayment('p1', { collection: 2, card_brand: 'VISA', channel: 'terminal' });
  await addEntry('p1');
});

/** Books a refund of 30.00, for which the provider now shows `cents`. */
async function correct(cents: number, state: 'approved' | 'not_done' = 'approved', method: 'card' | 'ach' = 'card') {
  const columns = { request_key: 'r1', kind: 'refund', amount_cents: 3_000, provider_txn_id: 'g1' };
  await add('reversals', { ...columns, id: 'r1', attempt_id: 'p1', state });
  await addEntry('p1', { provider_txn_id: 'g1', kind: 'refund', amount_cents: -3_000 });
  if (state === 'not_done') await addEntry('p1', { provider_txn_id: 'g1-void', kind: 'refund', amount_cents: 3_000 });
  const { deps, logs } = depsWithGateway([]);
  const isAttempted = await correctRefund(deps, { accountId: ACCOUNT, method }, 'g1', cents);
  const [row] = await rowsOf('SELECT state, amount_cents AS cents, message FROM reversals');
  const entries = await rowsOf("SELECT * FROM ledger WHERE provider_txn_id LIKE 'g1-%'");
  return { wasAttempted: isAttempted, logs, row, entries };
}
const entry = (id: string, cents: number) => ({
  provider_txn_id: id,
  amount_cents: cents,
  kind: 'refund',
  at: NOW,
  day: '1970-04-11',
});

describe('a refund that the provider shows differently', () => {
  it('is corrected by the difference, with the channel and card of its payment', async () => {
    const { wasAttempted, logs, row, entries } = await correct(2_000);
    const message = 'The card provider shows another amount for this refund than before.';
    expect([wasAttempted, row]).toEqual([true, { state: 'approved', cents: 2_000, message }]);
    expect(entries).toMatchObject([{ ...entry('g1-2000', 1_000), channel: 'terminal', method: 'card', brand: 'VISA' }]);
    expect(logs).toEqual([['refund-corrected', { accountId: ACCOUNT, attemptId: 'p1', reversalId: 'r1' }]]);
    const after = '{"state":"approved","amountCents":2000,"payment":"p1"}';
    expect(await rowsOf('SELECT action, actor_kind, after FROM audit_events')).toEqual([
      { action: 'reversal.moved', actor_kind: 'system', after },
    ]);
  });

  it('is reversed when it was voided', async () => {
    const { row, entries } = await correct(0);
    expect(row).toEqual({
      state: 'not_done',
      cents: 3_000,
      message: 'The card provider shows that this refund was voided.',
    });
    expect(entries).toMatchObject([entry('g1-void', 3_000)]);
    expect(await rowsOf("SELECT json_extract(after, '$.state') AS state FROM audit_events")).toEqual([
      { state: 'not_done' },
    ]);
  });

  it('is booked again when it was voided before', async () => {
    const { row, entries } = await correct(3_000, 'not_done');
    expect(row).toMatchObject({ state: 'approved', cents: 3_000 });
    expect(entries).toContainEqual(expect.objectContaining(entry('g1-3000', -3_000)));
  });

  it('is booked under a new entry id when the same amount was shown before', async () => {
    await addEntry('p1', { provider_txn_id: 'g1-2000', kind: 'refund', amount_cents: 0 });
    const { entries } = await correct(2_000);
    expect(entries).toContainEqual(expect.objectContaining(entry(`g1-2000-${NOW}`, 1_000)));
  });

  it.each<[string, number, 'approved' | 'not_done', 'card' | 'ach']>([
    ['shows the booked amount', 3_000, 'approved', 'card'],
    ['shows nothing for a refund that is not done', 0, 'not_done', 'card'],
    ['shows a bank debit', 2_000, 'approved', 'ach'],
  ])('is ignored when the provider %s', async (_title, cents, state, method) => {
    const { wasAttempted, logs } = await correct(cents, state, method);
    expect([wasAttempted, logs]).toEqual([false, []]);
  });

  it.each([
    [3, true],
    [2, false],
  ])('alerts when its invoice is in collection %i: %s', async (collection, isAlert) => {
    await add('invoices', { invoice_id: 'p1', collection });
    const { logs } = await correct(0);
    const alert = ['ALERT payment-contradicted', { accountId: ACCOUNT, attemptId: 'p1', state: 'approved' }];
    expect(logs.slice(1)).toEqual(isAlert ? [alert] : []);
  });
});
