import { beforeEach, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, NOW, refundOf } from '#tests/support/unit/shown-gateway';
import { findCollectionState } from '#worker/data/installments/collections';
import type { Deps } from '#worker/deps';
import { computeOwed } from '#worker/domain/installments/decide-installments';
import { WRITE_SCOPE } from '#worker/domain/write-back/settings';
import { CrmError, type CrmInvoice } from '#worker/vendors/hubspot/port';
import { resolvePayment } from './resolve-payment.ts';

const tokens = { access_token: 'a', refresh_token: 'r', expires_at: NOW + 3_600_000 };
const merchant = { sessionId: '', accountId: ACCOUNT, userId: 3, role: 'admin' } as const;
const invoiceOf184 = { status: 'open', currency: 'USD', billed_cents: 18_400, collection: 1 };
const lostAttempt = { state: 'needs_human', terminal_id: 't1', hold_until: NOW, created_at: NOW - 9, time_zone: 'UTC' };

/** The references of the CRM's payment records and the cents still owed of 18,400. Null if it does not answer. */
type Crm = { references: string[]; owed: number } | null;

beforeEach(async () => {
  await addClinic({ time_zone: 'UTC' }, 't1');
  await add('crm_tokens', { ...tokens, scopes: `oauth ${WRITE_SCOPE}` });
});

async function decideCharged(id: string, txnId: string, crm: Crm) {
  const [row] = await rowsOf<{ amount_cents: number }>('SELECT amount_cents FROM payment_attempts WHERE id = ?', id);
  const { deps } = depsWithGateway([
    refundOf({ id: txnId, attemptId: id, kind: 'SALE', amountCents: row?.amount_cents ?? 0 }),
  ]);
  const paymentRecords = {
    listRecords: async () => {
      if (!crm) throw new CrmError('unavailable', 'it does not answer');
      return crm.references.map((reference) => ({ id: reference, reference, givenBackCents: 0 }));
    },
    readBalance: async () => ({ isPaid: crm?.owed === 0, balanceCents: crm?.owed ?? 0, billedCents: 18_400 }),
  };
  const sealer = { open: async () => 'token' };
  const worldDeps = { ...deps, sealer, crm: { displayName: 'HubSpot', paymentRecords } } as unknown as Deps;
  return resolvePayment(worldDeps, merchant, id, { verdict: 'charged', note: 'Called' });
}
const invoice = async () =>
  (
    await rowsOf(
      'SELECT local_status, collection_base_cents AS base, collection_paid_cents AS paid, list_balance_cents AS owed FROM invoices',
    )
  )[0];

it('keeps the CRM’s amount owed when the CRM has already recorded the lost charge', async () => {
  await add('invoices', { ...invoiceOf184, invoice_id: 'i1', balance_cents: 3_400 });
  await addPayment('p1', { ...lostAttempt, invoice_id: 'i1', amount_cents: 15_000 });
  expect(await decideCharged('p1', 'g1', { references: ['g1'], owed: 3_400 })).toMatchObject({ kind: 'resolved' });
  expect(await invoice()).toEqual({ local_status: 'none', base: 18_400, paid: 15_000, owed: 3_400 });
  // The schedule finds the record later.
  const foundWrite = { kind: 'payment', amount_cents: 15_000, state: 'written', effect: 'balance_moved' };
  await add('crm_writes', { ...foundWrite, id: 'pay-p1', attempt_id: 'p1', invoice_id: 'i1', done_at: NOW + 1 });
  const collectionState = await findCollectionState(
    db,
    { accountId: ACCOUNT, invoiceId: 'i1', collection: 1 },
    NOW + 2,
  );
  const crmInvoice = { status: 'open', currency: 'USD', balanceCents: 3_400, billedCents: 18_400 } as CrmInvoice;
  expect(collectionState && computeOwed(collectionState, crmInvoice)).toMatchObject({ contains: 3_400, lacks: 3_400 });
});

it('marks the invoice paid by two lost charges that the CRM has recorded', async () => {
  await add('invoices', { ...invoiceOf184, invoice_id: 'i1', status: 'paid', balance_cents: 0 });
  await addPayment('p1', { ...lostAttempt, invoice_id: 'i1', amount_cents: 15_000 });
  await addPayment('p2', { ...lostAttempt, invoice_id: 'i1', amount_cents: 3_400, part: 2 });
  const crm = { references: ['g1', 'g2'], owed: 0 };
  expect(await decideCharged('p1', 'g1', crm)).toMatchObject({ kind: 'resolved' });
  expect(await decideCharged('p2', 'g2', crm)).toMatchObject({ kind: 'resolved' });
  expect(await invoice()).toMatchObject({ local_status: 'paid', base: 18_400, paid: 18_400 });
});

it.each<[string, Crm, object]>([
  ['has no payment record', { references: [], owed: 18_400 }, { local_status: 'paid', base: null }],
  ['has only another record', { references: ['g9'], owed: 18_400 }, { local_status: 'paid', base: null }],
  [
    'has a record that did not change its balance',
    { references: ['g1'], owed: 18_400 },
    { local_status: 'paid', base: null },
  ],
])('marks the invoice paid by a lost charge when the CRM %s', async (_title, crm, expected) => {
  await add('invoices', { ...invoiceOf184, invoice_id: 'i1', balance_cents: 18_400 });
  await addPayment('p1', { ...lostAttempt, invoice_id: 'i1', amount_cents: 18_400 });
  expect(await decideCharged('p1', 'g1', crm)).toMatchObject({ kind: 'resolved' });
  expect(await invoice()).toMatchObject(expected);
});

it('leaves a lost charge in review while the CRM does not answer', async () => {
  await add('invoices', { ...invoiceOf184, invoice_id: 'i1', balance_cents: 3_400 });
  await addPayment('p1', { ...lostAttempt, invoice_id: 'i1', amount_cents: 15_000 });
  const reason =
    'HubSpot is not answering, so we cannot tell what is still owed after this payment. Please try again in a minute.';
  expect(await decideCharged('p1', 'g1', null)).toEqual({ kind: 'contradicted', why: reason });
  expect(await rowsOf('SELECT state FROM payment_attempts')).toEqual([{ state: 'needs_human' }]);
});

it('uses our copy of the invoice when the grant does not allow recording payments', async () => {
  await rowsOf("UPDATE crm_tokens SET scopes = 'oauth'");
  await add('invoices', { ...invoiceOf184, invoice_id: 'i1', balance_cents: 18_400 });
  await addPayment('p1', { ...lostAttempt, invoice_id: 'i1', amount_cents: 15_000 });
  expect(await decideCharged('p1', 'g1', null)).toMatchObject({ kind: 'resolved' });
  expect(await invoice()).toMatchObject({ local_status: 'none', owed: 3_400 });
});
