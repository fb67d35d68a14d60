import { describe, expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT } from '#tests/support/unit/rows';
import { crmWriteSettings, type crmWrites } from '#worker/data/schema/crm';
import { batches, linkOpenings } from '#worker/data/schema/payments';
import { reversals } from '#worker/data/schema/refunds';
import { type Attempt, outbox, terminals, users } from '#worker/data/schema/schema';
import { readInvoiceHistory } from './merchant-invoice.ts';

/** Two invoices, each with the same kind of payment. */
async function addTwoPaidInvoices(attempt: Partial<Attempt> = {}) {
  const fixture = await bareBooks();
  for (const id of ['1', '2']) {
    await fixture.addInvoice(id);
    await fixture.addAttempt(id, { id: `a${id}`, providerTxnId: `t${id}`, ...attempt });
  }
  const readLife = () => readInvoiceHistory(fixture.db, ACCOUNT, '1');
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
  const addReversal = (id: string, row: Partial<typeof reversals.$inferInsert> = {}) =>
    fixture.db.insert(reversals).values({
      id,
      accountId: ACCOUNT,
      attemptId: 'a1',
      invoiceId: '1',
      kind: 'refund',
      amountCents: 700,
      dedupeKey: id,
      requestKey: id,
      reason: 'Billed twice',
      requestedBy: 5,
      state: 'approved',
      providerTxnId: 'x1',
      holdUntil: 0,
      createdAt: NOW - 9,
      settledAt: NOW - 4,
      batchId: 'own',
      ...row,
    });
  return { ...fixture, read: readLife, addMail, addReversal };
}

describe('messages and openings of an invoice', () => {
  it('count how often its link was opened, with the first and last time', async () => {
    const { db, read } = await addTwoPaidInvoices();
    expect((await read()).openings).toEqual({ times: 0, first_at: null, last_at: null });
    const open = (invoiceId: string, at: number) =>
      db.insert(linkOpenings).values({ accountId: ACCOUNT, invoiceId, loadId: `${at}`, at });
    for (const at of [5, 3, 4]) await open('1', at);
    await open('2', 9);
    expect((await read()).openings).toEqual({ times: 3, first_at: 3, last_at: 5 });
  });

  it('count its link emails and its reminders, each with the first and last time', async () => {
    const { addMail, read } = await addTwoPaidInvoices();
    for (const [id, sentAt] of [
      ['m1', 5],
      ['m2', 3],
      ['m3', 4],
    ] as const)
      await addMail(id, { sentAt });
    await addMail('m4', { kind: 'reminder', sentAt: 8 });
    await addMail('m5', { kind: 'receipt' });
    await addMail('m6', { state: 'due' });
    await addMail('m7', { invoiceId: '2' });
    expect((await read()).requests).toMatchObject([
      { kind: 'pay-link', times: 3, first_at: 3, last_at: 5 },
      { kind: 'reminder', times: 1, first_at: 8, last_at: 8 },
    ]);
  });

  it('list its emails to the payer newest first, without reminders that were not sent', async () => {
    const { addMail, read } = await addTwoPaidInvoices();
    await addMail('m1', { kind: 'receipt', createdAt: 1, sentAt: 7 });
    await addMail('m2', { kind: 'crm-receipt', createdAt: 3, sentAt: null, state: 'failed' });
    await addMail('m3', { kind: 'reminder', createdAt: 2, state: 'failed' });
    await addMail('m4', { kind: 'reminder', createdAt: 5 });
    await addMail('m5', { createdAt: 4 });
    await addMail('m6', { kind: 'notice-payment' as never });
    await addMail('m7', { invoiceId: '2' });
    expect((await read()).mails).toMatchObject([
      { kind: 'reminder', state: 'sent' },
      { kind: 'pay-link' },
      { kind: 'crm-receipt', state: 'failed', at: 3 },
      { kind: 'receipt', at: 7 },
    ]);
  });
});

describe('reversals of an invoice', () => {
  it('list the approved ones of its payments, newest first', async () => {
    const { addReversal, read } = await addTwoPaidInvoices();
    await addReversal('r1');
    await addReversal('r2', { state: 'not_done', providerTxnId: 'x2' });
    await addReversal('r3', { createdAt: NOW - 8, providerTxnId: 'x3' });
    await addReversal('r4', { attemptId: 'a2', invoiceId: '2' });
    const { reversals: givenBack } = await read();
    expect(givenBack.map(({ id }) => id)).toEqual(['r3', 'r1']);
    expect(givenBack[1]).toEqual({
      id: 'r1',
      kind: 'refund',
      amount_cents: 700,
      at: NOW - 4,
      reason: 'Billed twice',
      attempt_id: 'a1',
      requested_by: '',
      terminal_id: 'T1',
      batch_id: 'own',
    });
  });

  const entry = { kind: 'refund', amountCents: -700, at: NOW - 2 } as const;
  it.each<[string, object, number]>([
    ['the ledger has it', { providerTxnId: 'x1' }, NOW - 2],
    ['the ledger has it under another id', { providerTxnId: 'x1-refund' }, NOW - 2],
    ['the ledger has another transaction', { providerTxnId: 'x2' }, NOW - 4],
    ['the ledger has it as a void', { providerTxnId: 'x1', kind: 'void' }, NOW - 4],
    ['the ledger has it for another payment', { providerTxnId: 'x1', attemptId: 'a2' }, NOW - 4],
  ])('take their date from the matching ledger entry only: %s', async (_title, overrides, at) => {
    const { addLedger, addReversal, read } = await addTwoPaidInvoices();
    await addReversal('r1');
    await addLedger('a1', '1', { ...entry, ...overrides });
    expect((await read()).reversals).toMatchObject([{ at }]);
  });

  it('take the date of the request when nothing else is known', async () => {
    const { addReversal, read } = await addTwoPaidInvoices();
    await addReversal('r1', { settledAt: null });
    expect((await read()).reversals).toMatchObject([{ at: NOW - 9 }]);
  });

  it.each([
    ['Ana', 5, 'Ana'],
    ['', 5, 'ana@example.test'],
    ['Ana', 6, ''],
  ])('show the name or address of the requester: %s, %i', async (name, userId, expected) => {
    const { addReversal, db, read } = await addTwoPaidInvoices();
    await db.insert(users).values({ accountId: ACCOUNT, userId, name, email: 'ana@example.test', lastLoginAt: 0 });
    await addReversal('r1');
    expect((await read()).reversals).toMatchObject([{ requested_by: expected }]);
  });

  it.each([
    ['x1', '8', 'card', '8'],
    ['x1', '', 'card', 'own'],
    ['x2', '8', 'card', 'own'],
    ['x1', '8', 'ach', 'own'],
  ] as const)('take the batch the gateway shows: %s %s %s', async (id, batchId, method, expected) => {
    const { addReversal, addTransaction, read } = await addTwoPaidInvoices();
    await addReversal('r1');
    await addTransaction({ providerTxnId: id, batchId, method });
    expect((await read()).reversals).toMatchObject([{ batch_id: expected }]);
  });
});

describe('a payment of an invoice', () => {
  const minimal = { attempt_id: 'a1', batch_id: '', settled_at: null, account: null, state: null, back_cents: 0 };
  type CrmWriteColumns = Partial<typeof crmWrites.$inferInsert>;

  it('is listed without a batch, CRM record or refunds when it has none, newest first', async () => {
    const { addAttempt, read } = await addTwoPaidInvoices();
    await addAttempt('1', { id: 'a0', state: 'declined', createdAt: NOW - 1 });
    await addAttempt('1', { id: 'a3', state: 'declined', createdAt: NOW + 1 });
    expect((await read()).attempts).toMatchObject([{ attempt_id: 'a3' }, minimal, { attempt_id: 'a0' }]);
  });

  it.each([
    ['its own', 't1', 'card', 'T1', '7', 100],
    ['none for another transaction', 't2', 'card', 'T1', '', null],
    ['none for a bank debit', 't1', 'ach', 'T1', '', null],
    ['its own, whose details are not stored', 't1', 'card', 'T2', '7', null],
  ] as const)('is in the batch the gateway shows: %s', async (_title, id, method, terminalId, batchId, net) => {
    const { addTransaction, db, read } = await addTwoPaidInvoices();
    await addTransaction({ providerTxnId: id, batchId: '7', method });
    const keys = { accountId: ACCOUNT, name: '', channel: 'counter', publicKey: '', apiKey: '', createdAt: 1 } as const;
    for (const terminal of ['T1', 'T2']) await db.insert(terminals).values({ ...keys, terminalId: terminal });
    const row = { accountId: ACCOUNT, status: 'closed', settledAt: NOW, confirmationCode: 'c', depositCents: 90 };
    await db.insert(batches).values({ ...row, terminalId, batchId: '7', netCents: 100 });
    await db.insert(batches).values({ ...row, terminalId: 'T1', batchId: '8', netCents: 800 });
    expect((await read()).attempts).toMatchObject([{ batch_id: batchId, net_cents: net }]);
  });

  it.each([
    [true, 'ready'],
    [false, null],
  ])('is recorded in the CRM only for an account with write-back on (%s)', async (isOn, account) => {
    const { db, read } = await addTwoPaidInvoices();
    await db.insert(crmWriteSettings).values({ accountId: ACCOUNT, isOn, changedBy: 1, changedAt: 1 });
    expect((await read()).attempts).toMatchObject([{ account }]);
  });

  it('has its own CRM record and the amount recorded for its reversals', async () => {
    const { addRecord, read } = await addTwoPaidInvoices();
    const add = (id: string, row: CrmWriteColumns = {}) => addRecord('a1', '1', { id, kind: 'reversal', ...row });
    await add('pay-a1', { kind: 'payment', amountCents: 10_000 });
    await addRecord('a2', '2', { id: 'pay-a2' });
    await add('w1', { amountCents: 300 });
    await add('w2', { amountCents: 40 });
    await add('w3', { amountCents: 1_000, state: 'refused' });
    await add('w4', { amountCents: 2_000, effect: 'nothing_moved' });
    await addRecord('a2', '2', { id: 'w5', kind: 'reversal', amountCents: 5_000 });
    expect((await read()).attempts).toMatchObject([{ state: 'written', recorded_cents: 10_000, back_cents: 340 }]);
  });
});
