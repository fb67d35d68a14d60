import { expect, it } from 'vitest';
import { eventOf, gatewayOnlyTransaction, makeLedgerPair } from '#tests/support/ledger-pair';
import { handleTransactionWebhook } from './handle-transaction-webhook.ts';

it('logs a transaction that could not be read and stores nothing', async () => {
  const world = await makeLedgerPair();
  world.gateway.script.find = () => 'unavailable';
  await handleTransactionWebhook(world.deps, eventOf(world, gatewayOnlyTransaction(world, {})));
  expect(world.logs.filter((line) => line.startsWith('transaction-'))).toEqual(['transaction-not-read']);
});

it('updates the payment to which a void refers, and logs an unknown terminal', async () => {
  const world = await makeLedgerPair();
  const sale = await world.sell();
  sale.txn.isVoided = true;
  const voidTxn = gatewayOnlyTransaction(world, { kind: 'VOID', parentId: sale.txn.id, attemptId: '' });
  world.books.push(voidTxn);
  await handleTransactionWebhook(world.deps, eventOf(world, voidTxn));
  expect(await world.state()).toMatchObject([{ state: 'voided' }]);
  await handleTransactionWebhook(world.deps, { ...eventOf(world, voidTxn), terminalId: 'none' });
  expect(world.logs).toContain('transaction-of-unknown-terminal');
});
