import { expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, db } from '#tests/support/unit/rows';
import { findTransactionTime } from './transaction-queries.ts';

it('finds the time of a transaction by its method and id, or null', async () => {
  await addClinic();
  await add('gateway_transactions', { provider_txn_id: 'a', method: 'card', at: 100 });
  await add('gateway_transactions', { provider_txn_id: 'a', method: 'ach', at: 200 });
  await add('gateway_transactions', { provider_txn_id: 'b', method: 'card', at: 300 });
  await add('gateway_transactions', { provider_txn_id: 'c', method: 'card', at: null });
  const madeAt = (method: 'card' | 'ach', id: string) => findTransactionTime(db, { accountId: ACCOUNT, method }, id);
  expect(await Promise.all([madeAt('card', 'a'), madeAt('ach', 'a'), madeAt('card', 'b')])).toEqual([100, 200, 300]);
  expect(await Promise.all([madeAt('card', 'c'), madeAt('ach', 'b')])).toEqual([null, null]);
});
