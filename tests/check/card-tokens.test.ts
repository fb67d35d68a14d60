import path from 'node:path';
import { expect, expectTypeOf, test } from 'vitest';
import { cardTokenLeaks } from '#scripts/checks/card-tokens';
import type { StoredCardChargeRequest, StoredCardRef } from '#worker/vendors/gateway-port';
import { plantTree } from './tree.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('only the card provider’s adapter sends or opens the token of a card on file', () => {
  expect(cardTokenLeaks(root)).toEqual([]);
});

test.each([
  ['worker/domain/payments/own-way.ts', "await post('/rest/v2/transactions', { card: token });"],
  ['site/islands/pay/own-way.ts', "fetch('https://gateway.test/rest/v2/transactions');"],
  ['worker/vendors/clearent/reversal.ts', "const body = { type: 'SALE', card: token };"],
  ['worker/vendors/clearent/charge.ts', "const body = {\n  'card': token,\n};"],
  ['worker/routes/cards.ts', 'const ref = new StoredCardRef(id, token);'],
  ['worker/routes/cards.ts', 'const reply = { token: ref.sealedToken() };'],
  ['worker/domain/stored-cards/open.ts', 'const token = await sealer.open(row.token, boundTo.storedCard(row.id));'],
  ['worker/vendors/clearent/batches.ts', 'const token = await openCardToken(id, sealedToken);'],
])('reports another way to it: %s %s', (file, text) => {
  const leaks = cardTokenLeaks(plantTree({ [file]: `${text}\n` }));
  expect(leaks).toHaveLength(1);
  expect(leaks[0]).toMatch(new RegExp(`^${file}:\\d `));
});

test('ignores tests, the permitted files and other cards', () => {
  const tree = plantTree({
    'worker/domain/payments/own-way.test.ts': "post('/rest/v2/transactions', { card: token });",
    'worker/vendors/clearent/stored-cards.ts': "call('/rest/v2/transactions', { card: await openCardToken(id, t) });",
    'worker/vendors/clearent/wire.ts': '  card: text,',
    'worker/routes/receipt.ts': "const reply = { card: 'Visa 1111' };",
  });
  expect(cardTokenLeaks(tree)).toEqual([]);
});

test('a charge takes the card as a StoredCardRef, never as text', () => {
  expectTypeOf<StoredCardChargeRequest['card']>().toEqualTypeOf<StoredCardRef>();
});
