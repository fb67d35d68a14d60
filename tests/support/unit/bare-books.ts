import { crmWrites } from '#worker/data/schema/crm';
import { type Collection, collections } from '#worker/data/schema/invoices';
import { gatewayTransactions } from '#worker/data/schema/reconciliation';
import { accounts, invoices, ledger, paymentAttempts } from '#worker/data/schema/schema';

import { ACCOUNT, db } from './rows.ts';

type Row<Table extends { $inferInsert: object }> = Partial<Table['$inferInsert']>;

export const NOW = Date.UTC(2026, 2, 4, 15);
/** An account that accepts parts, whose rows tests insert themselves, for rules that SQL statements contain. */
export async function bareBooks(fields: Row<typeof accounts> = {}) {
  await db.insert(accounts).values({
    accountId: ACCOUNT,
    name: 'Maple Street Dental',
    domain: 'maple.example',
    timeZone: 'UTC',
    connectedAt: 1,
    takesParts: true,
    ...fields,
  });
  let counter = 0;
  const addInvoice = (invoiceId: string, row: Row<typeof invoices> = {}) =>
    db.insert(invoices).values({
      accountId: ACCOUNT,
      invoiceId,
      number: `INV-${invoiceId}`,
      status: 'open',
      currency: 'USD',
      readAt: NOW,
      balanceCents: 10_000,
      billedCents: 10_000,
      ...row,
    });
  const addAttempt = async (invoiceId: string, row: Row<typeof paymentAttempts> = {}) => {
    counter += 1;
    const id = row.id ?? `attempt-${counter}`;
    await db.insert(paymentAttempts).values({
      accountId: ACCOUNT,
      invoiceId,
      collection: 1,
      terminalId: 'T1',
      channel: 'link',
      method: 'card',
      amountCents: 10_000,
      currency: 'USD',
      invoiceNumber: `INV-${invoiceId}`,
      dedupeKey: `${invoiceId}-1`,
      receiptId: `receipt-${id}`,
      state: 'approved',
      holdUntil: NOW,
      createdAt: NOW,
      ...row,
      id,
    });
    return id;
  };
  const addLedger = (attemptId: string, invoiceId: string, row: Row<typeof ledger> = {}) =>
    db.insert(ledger).values({
      accountId: ACCOUNT,
      providerTxnId: `txn-${attemptId}`,
      attemptId,
      invoiceId,
      kind: 'payment',
      amountCents: 10_000,
      currency: 'USD',
      channel: 'link',
      method: 'card',
      brand: 'VISA',
      at: NOW,
      day: '2026-03-04',
      ...row,
    });
  /** Adds a collection of $100.00 in parts of at least $10.00, opened an hour ago. */
  const addCollection = (invoiceId: string, row: Partial<Collection> = {}) =>
    db.insert(collections).values({
      accountId: ACCOUNT,
      invoiceId,
      n: 1,
      baseCents: 10_000,
      minCents: 1_000,
      maxParts: 12,
      crmBalanceCents: 10_000,
      crmBilledCents: 10_000,
      openedBy: 1,
      openedAt: NOW - 3_600_000,
      ...row,
    });
  /** Adds a CRM record of a payment, which has already changed the CRM balance. */
  const addRecord = (attemptId: string, invoiceId: string, row: Row<typeof crmWrites> = {}) => {
    counter += 1;
    return db.insert(crmWrites).values({
      id: `w${counter}`,
      accountId: ACCOUNT,
      invoiceId,
      attemptId,
      kind: 'payment',
      amountCents: 1_000,
      state: 'written',
      effect: 'balance_moved',
      createdAt: NOW,
      sentAt: NOW,
      doneAt: NOW,
      ...row,
    });
  };
  /** Adds a card charge as read from the gateway's list. */
  const addTransaction = (row: Row<typeof gatewayTransactions> = {}) =>
    db.insert(gatewayTransactions).values({
      accountId: ACCOUNT,
      providerTxnId: 't1',
      method: 'card',
      terminalId: 'T1',
      batchId: '',
      kind: 'SALE',
      state: 'approved',
      isVoided: false,
      orderId: '',
      parentId: '',
      dedupeKey: '',
      card: '',
      payer: '',
      seenAt: NOW,
      ...row,
    });
  return { db, addInvoice, addAttempt, addLedger, addCollection, addRecord, addTransaction };
}

export type BareBooks = Awaited<ReturnType<typeof bareBooks>>;
