import { expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT } from '#tests/support/unit/rows';
import { listFrozenCollections } from './frozen.ts';

it('lists an account’s frozen collections for manual review, longest waiting first', async () => {
  const { addCollection, addInvoice, db } = await bareBooks();
  const frozen = { state: 'frozen', frozenAt: NOW, frozenBalanceCents: 700 } as const;
  const add = async (id: string, invoice: object, collection: object = {}) => {
    await addInvoice(id, invoice);
    await addCollection(id, { ...frozen, ...collection });
  };
  await add('late', { contactFirstName: 'Marta', contactLastName: 'Núñez', companyName: 'Núñez Studio' });
  await add('early', {}, { frozenAt: NOW - 1 });
  await add('open', {}, { state: 'open' });
  await add('ended', { collection: 2 });
  await add('gone', { deletedAt: NOW });
  await add('paid', {});
  await db.$client.prepare("UPDATE invoices SET local_status = 'paid' WHERE invoice_id = 'paid'").run();
  const list = await listFrozenCollections(db, ACCOUNT);
  expect(list.map(({ invoiceId }) => invoiceId)).toEqual(['early', 'late']);
  expect(list[1]).toMatchObject({
    invoiceNumber: 'INV-late',
    remainingCents: 10_000,
    crmBalanceCents: 700,
    frozenAt: NOW,
    firstName: 'Marta',
    lastName: 'Núñez',
    companyName: 'Núñez Studio',
  });
  expect(await listFrozenCollections(db, ACCOUNT + 1)).toEqual([]);
});

it('lists at most two hundred frozen collections', async () => {
  const { addInvoice, db } = await bareBooks();
  await addInvoice('1');
  const numbers = `WITH RECURSIVE g (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM g WHERE n < 200)`;
  await db.$client.batch(
    [
      `${numbers} INSERT INTO invoices (account_id, invoice_id, number, status, currency, read_at)
        SELECT ${ACCOUNT}, 'i' || n, 'i' || n, 'open', 'USD', 1 FROM g`,
      `${numbers} INSERT INTO collections (account_id, invoice_id, n, base_cents, min_cents, max_installments, crm_balance_cents, state,
          opened_by, opened_at, frozen_at) SELECT ${ACCOUNT}, 'i' || n, 1, 2, 1, 2, 2, 'frozen', 1, 1, 1 FROM g`,
    ].map((sql) => db.$client.prepare(sql)),
  );
  expect(await listFrozenCollections(db, ACCOUNT)).toHaveLength(200);
});
