import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, NOW } from '#tests/support/unit/shown-gateway';
import type { GatewayRow } from '#worker/data/schema/schema';
import { recoverLostPayments } from './ingest.ts';

const ORDER = 'a'.repeat(32);

beforeEach(async () => {
  await addClinic({ time_zone: 'Pacific/Kiritimati', restored_at: 100 }, 't1');
  await add('terminals', { terminal_id: 't2', channel: 'counter' });
  const email = { contact_email: 'a@x.example', currency: 'USD' };
  await add('invoices', { ...email, invoice_id: 'i1', number: 'INV-1', collection: 4 });
  await add(
    'invoices',
    { ...email, invoice_id: 'i2', number: 'twice' },
    { ...email, invoice_id: 'i3', number: 'twice' },
  );
  await add('invoices', { ...email, invoice_id: 'twin', number: 'i1' });
});

const rowOf = (overrides: Partial<GatewayRow> = {}): GatewayRow => ({
  accountId: ACCOUNT,
  providerTxnId: 'g1',
  method: 'card',
  terminalId: 't1',
  batchId: '8',
  kind: 'SALE',
  state: 'approved',
  isVoided: false,
  amountCents: 500,
  netAmountCents: 500,
  orderId: ORDER,
  parentId: '',
  dedupeKey: 'i1-2',
  card: '',
  payer: 'Núñez',
  at: 101,
  seenAt: NOW,
  verdict: 'only-gateway',
  ...overrides,
});

async function recover(overrides: Partial<GatewayRow> = {}) {
  const { deps, logs } = depsWithGateway([]);
  await recoverLostPayments(deps, ACCOUNT, [rowOf(overrides)]);
  return { logs, attempts: await rowsOf('SELECT * FROM payment_attempts') };
}

it('restores a lost charge as its original attempt, in manual review', async () => {
  const { attempts, logs } = await recover();
  const attempt = {
    id: ORDER,
    invoice_id: 'i1',
    collection: 2,
    part: 1,
    terminal_id: 't1',
    channel: 'link',
    amount_cents: 500,
  };
  const timeColumns = {
    created_at: 101,
    hold_until: 101,
    time_zone: 'Pacific/Kiritimati',
    day: '1969-12-31',
    currency: 'USD',
  };
  const invoiceColumns = {
    invoice_number: 'INV-1',
    dedupe_key: 'i1-2',
    receipt_to: 'a@x.example',
    payer_last_name: 'Núñez',
  };
  expect(attempts).toMatchObject([
    { ...attempt, ...timeColumns, ...invoiceColumns, method: 'card', state: 'needs_human' },
  ]);
  expect(logs).toEqual([['lost-payment-found', { accountId: ACCOUNT, attemptId: ORDER }]]);
  expect(await rowsOf('SELECT action, subject_id, after FROM audit_events')).toEqual([
    { action: 'payment.found', subject_id: ORDER, after: '{"state":"needs_human","amountCents":500}' },
  ]);
});

describe('a transaction', () => {
  it.each<[string, Partial<GatewayRow>, boolean]>([
    ['is pending', { verdict: 'none', state: 'pending', netAmountCents: null }, true],
    ['moved no money', { verdict: 'none', netAmountCents: 0 }, false],
    ['agrees with our books', { verdict: 'matched', state: 'pending' }, false],
    ['is a refund', { kind: 'REFUND' }, false],
    ['has an order id that is not ours', { orderId: `${ORDER}a` }, false],
    ['has no order id', { orderId: '' }, false],
    ['is for one cent', { amountCents: 1 }, true],
    ['is for zero', { amountCents: 0 }, false],
    ['has no readable amount', { amountCents: null }, false],
  ])('is treated as a lost charge when it %s: %s', async (_title, overrides, isFound) => {
    const { attempts, logs } = await recover(overrides);
    expect([attempts.length, logs.length]).toEqual(isFound ? [1, 1] : [0, 0]);
  });

  it.each<[string, string, Record<string, unknown> | null]>([
    ['the id of its invoice, even if a number equals it', 'i1-3', { invoice_id: 'i1', collection: 3, part: 1 }],
    ['the id and the part', 'i1-3.12', { invoice_id: 'i1', collection: 3, part: 12 }],
    ['the number of its invoice', 'INV-1-2', { invoice_id: 'i1', collection: 2 }],
    ['the number of two invoices', 'twice-1', null],
    ['no invoice of the account', 'INV-9-1', null],
    ['no collection', 'i1', null],
    ['a part of three digits', 'i1-3.123', null],
  ])('is matched to its invoice when its key has %s', async (_title, dedupeKey, attempt) => {
    expect((await recover({ dedupeKey })).attempts).toMatchObject(attempt ? [attempt] : []);
  });

  it.each<[string, Partial<GatewayRow>, Record<string, unknown>]>([
    ['from before the restore needs no receipt', { at: 100 }, { receipt_to: '' }],
    ['without a time gets the current time', { at: null }, { created_at: NOW, receipt_to: 'a@x.example' }],
    ['from a counter terminal was taken there', { terminalId: 't2' }, { channel: 'terminal' }],
    ['from a removed terminal counts as paid by link', { terminalId: 't9' }, { channel: 'link' }],
  ])('%s', async (_title, overrides, attempt) => {
    expect((await recover(overrides)).attempts).toMatchObject([attempt]);
  });
});
