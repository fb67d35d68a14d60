import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import { insertRow } from '#tests/support/unit/insert-row';
import { ACCOUNT } from '#tests/support/unit/rows';
import { mailAddresses } from '#worker/data/schema/mail';
import { invoiceSignatures, outbox, payLinks, terminals } from '#worker/data/schema/schema';
import { findMerchantInvoice } from './merchant-invoice.ts';

/** Two invoices with the same kinds of rows. */
async function addTwoInvoices(contactEmail = 'marta@example.test') {
  const fixture = await bareBooks();
  await fixture.addInvoice('0', { contactEmail: 'other@example.test' });
  await fixture.addInvoice('1', { contactEmail });
  const addLink = (payId: string, invoiceId: string, state: 'live' | 'ended' = 'live') =>
    fixture.db.insert(payLinks).values({ payId, accountId: ACCOUNT, invoiceId, state, issuedAt: 1, endsAt: NOW });
  const addMail = (id: string, row: Partial<typeof outbox.$inferInsert> = {}) =>
    fixture.db.insert(outbox).values({
      id,
      kind: 'pay-link',
      recipient: 'm@example.test',
      accountId: ACCOUNT,
      invoiceId: '1',
      state: 'sent',
      nextTryAt: NOW,
      createdAt: NOW,
      sentAt: NOW,
      ...row,
    });
  const find = (id = '1', accountId = ACCOUNT) => findMerchantInvoice(fixture.db, { accountId }, id);
  return { ...fixture, addLink, addMail, find };
}

describe('a merchant’s invoice', () => {
  it.each([
    ['1', '1'],
    ['link-1', '1'],
    ['link-0', '0'],
  ])('is found by the id %s', async (id, invoiceId) => {
    const { addLink, find } = await addTwoInvoices();
    for (const linkedId of ['0', '1']) await addLink(`link-${linkedId}`, linkedId);
    expect((await find(id)).invoice).toMatchObject({ invoiceId, isFrozen: false });
  });

  it('is not found for another account or by an unknown id', async () => {
    const { addLink, find } = await addTwoInvoices();
    await addLink('link-1', '1');
    const results = [await find('1', ACCOUNT + 1), await find('link-1', ACCOUNT + 1), await find('2')];
    expect(results.map(({ invoice }) => invoice)).toEqual([undefined, undefined, undefined]);
    expect(results.map(({ account }) => account?.accountId)).toEqual([undefined, undefined, ACCOUNT]);
  });

  it('comes with its account, merchant, tokens and terminals', async () => {
    const { db, find } = await addTwoInvoices();
    await insertRow(env.DB, 'merchants', { account_id: ACCOUNT, name: 'Maple' });
    await insertRow(env.DB, 'crm_tokens', { account_id: ACCOUNT });
    const terminal = { accountId: ACCOUNT, name: 'Web', channel: 'counter', publicKey: '', apiKey: '' } as const;
    await db.insert(terminals).values({ ...terminal, terminalId: 'T1', createdAt: 1 });
    expect(await find()).toMatchObject({
      account: { accountId: ACCOUNT },
      merchant: { name: 'Maple' },
      tokens: { accountId: ACCOUNT },
      counterTerminals: [{ terminalId: 'T1', name: 'Web' }],
    });
    expect(await find('1', ACCOUNT + 1)).toMatchObject({
      account: undefined,
      merchant: undefined,
      tokens: undefined,
      counterTerminals: [],
    });
  });

  it('is frozen if its current collection is frozen', async () => {
    const { addCollection, find } = await addTwoInvoices();
    await addCollection('1', { state: 'frozen' });
    expect((await find()).invoice?.isFrozen).toBe(true);
  });

  it('has only its live link', async () => {
    const { addLink, find } = await addTwoInvoices();
    await addLink('link-0', '0');
    await addLink('ended', '1', 'ended');
    expect((await find()).link).toBeUndefined();
    await addLink('live', '1');
    expect((await find()).link).toMatchObject({ payId: 'live' });
  });

  it('has its twenty newest attempts', async () => {
    const { addAttempt, find } = await addTwoInvoices();
    await addAttempt('0');
    for (let at = 0; at <= 20; at++)
      await addAttempt('1', { id: `a${at}`, state: 'declined', createdAt: NOW + (at % 2 ? at : -at) });
    const ids = (await find()).attempts.map(({ id }) => id);
    expect(ids).toHaveLength(20);
    expect([ids[0], ids.at(-1)]).toEqual(['a19', 'a18']);
  });

  it('has the ledger payments of its attempts, oldest first', async () => {
    const { addAttempt, addLedger, find } = await addTwoInvoices();
    for (const [id, invoiceId] of [
      ['a0', '0'],
      ['a1', '1'],
    ] as const)
      await addAttempt(invoiceId, { id });
    await addLedger('a0', '0');
    await addLedger('a1', '1', { providerTxnId: 'late', at: NOW });
    await addLedger('a1', '1', { providerTxnId: 'early', at: NOW - 1 });
    await addLedger('a1', '1', { providerTxnId: 'back', kind: 'refund', amountCents: -1 });
    expect((await find()).payments.map(({ providerTxnId }) => providerTxnId)).toEqual(['early', 'late']);
  });

  it('has the last email to its payer', async () => {
    const { addMail, find } = await addTwoInvoices();
    await addMail('m1', { sentAt: NOW - 2 });
    await addMail('m2', { invoiceId: '0', sentAt: NOW });
    await addMail('m3', { state: 'failed', sentAt: NOW });
    await addMail('m4', { kind: 'reminder', sentAt: NOW });
    expect((await find()).mailed).toEqual({ kind: 'pay-link', sentAt: NOW - 2, delivery: null });
    await addMail('m5', { kind: 'crm-receipt', sentAt: NOW - 1 });
    expect((await find()).mailed).toMatchObject({ kind: 'crm-receipt' });
    await addMail('m6', { kind: 'receipt' });
    expect((await find()).mailed).toMatchObject({ kind: 'receipt' });
    expect((await find('1', ACCOUNT + 1)).mailed).toBeUndefined();
  });

  it('has its own signature', async () => {
    const { db, find } = await addTwoInvoices();
    const sign = (invoiceId: string) =>
      db
        .insert(invoiceSignatures)
        .values({ accountId: ACCOUNT, invoiceId, imageKey: invoiceId, savedAt: 1, savedBy: 1 });
    await sign('0');
    expect((await find()).signature).toBeUndefined();
    await sign('1');
    expect((await find()).signature).toMatchObject({ imageKey: '1' });
  });

  it('reports that emails do not reach its payer’s address, in any spelling', async () => {
    const { db, find } = await addTwoInvoices(' Marta@Example.test ');
    const add = (address: string) =>
      db.insert(mailAddresses).values({ accountId: ACCOUNT, address, why: 'bounced', mailId: 'm', at: 1 });
    await add('other@example.test');
    expect((await find()).badAddress).toBeUndefined();
    await add('marta@example.test');
    expect((await find()).badAddress).toEqual({ address: 'marta@example.test', why: 'bounced' });
  });
});
