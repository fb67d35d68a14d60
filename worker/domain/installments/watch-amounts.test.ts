import { describe, expect, it } from 'vitest';
import { makePartWorld, type PartWorld } from '#tests/support/unit/in-parts';
import { saveInvoice } from '#worker/data/invoices/invoices';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { viewInvoice } from '#worker/domain/preview/view-invoice';
import { runSchedule } from '#worker/domain/run-schedule';
import type { CrmInvoiceSheet } from '#worker/vendors/hubspot/port';
import { viewParts } from './view-installments.ts';
import { watchAmounts } from './watch-amounts.ts';

const MINUTE = 60_000;

/** Saves a copy of the invoice as the CRM shows it now, like the sync or any other reader. */
async function saveCopy({ world, clock }: PartWorld) {
  clock.now += MINUTE;
  if (!world.crm.invoice) throw new Error('the CRM has no invoice');
  await saveInvoice(world.db, world.accountId, { ...world.crm.invoice, modifiedAt: clock.now }, clock.now);
}

const stateOf = async (world: PartWorld, n = 1) => (await world.collection(n))?.state;

/** Inserts our CRM record of the first installment, as the write-back leaves it. */
async function insertRecord({ world, clock }: PartWorld, { state, effect }: { state: string; effect: string }) {
  const attempt = (await world.attempts()).find((candidate) => candidate.state === 'approved');
  await world.deps.db.$client
    .prepare(
      `INSERT OR REPLACE INTO crm_writes (id, account_id, invoice_id, attempt_id, kind, amount_cents, state, effect, created_at, done_at)
        VALUES ('w' || ?1, ?2, ?1, ?3, 'payment', ?4, ?5, ?6, ?7, ?7)`,
    )
    .bind(world.invoiceId, world.accountId, attempt?.id ?? '', attempt?.amountCents ?? 0, state, effect, clock.now)
    .run();
}

describe('an amount changed in the CRM for an invoice in installments', () => {
  it.each([
    ['the balance', { balanceCents: 13_400 }],
    ['the billed sum', { billedCents: 20_000 }],
    ['the status', { status: 'paid', balanceCents: 0 }],
    ['the currency', { currency: 'CAD' }],
  ])(
    'freezes the invoice before another payment once the synced copy shows that %s changed',
    async (_title, change) => {
      const world = await makePartWorld();
      await world.pay('50.00');
      world.edit(18_400, change);
      await watchAmounts(world.deps);
      expect(await stateOf(world)).toBe('open');
      await saveCopy(world);
      await watchAmounts(world.deps);
      expect(await stateOf(world)).toBe('frozen');
      expect(world.gateway.charges).toHaveLength(1);
    },
  );

  it('is found by the clinic’s schedule and left to a staff decision', async () => {
    const world = await makePartWorld();
    world.edit(13_400);
    await saveCopy(world);
    await runSchedule(world.deps);
    expect(await viewParts(world.deps, world.manager, world.invoiceId)).toMatchObject({
      state: 'frozen',
      decision: { crm: '134.00' },
    });
  });

  it('freezes the invoice when its pay page is opened, and shows the change at once', async () => {
    const world = await makePartWorld();
    world.edit(13_400);
    world.clock.now += world.deps.settings.SNAPSHOT_MS + 1;
    expect((await viewLink(world.deps, world.payId)).kind).toBe('changed');
    expect(await stateOf(world)).toBe('frozen');
  });

  it('freezes the invoice when staff view it', async () => {
    const world = await makePartWorld();
    world.edit(13_400);
    const { invoice } = world.world.crm;
    const emptySheet = {
      customerAddress: { address: '', city: '', state: '', zip: '' },
      allowsParts: null,
      own: {},
      lines: [],
    };
    const getInvoiceSheet = async () => invoice && ({ ...emptySheet, invoice } as unknown as CrmInvoiceSheet);
    const deps = { ...world.deps, crm: { ...world.deps.crm, getInvoiceSheet } };
    await viewInvoice(deps, world.manager, world.invoiceId);
    expect(await stateOf(world)).toBe('frozen');
  });

  it('does not freeze the invoice when only an old copy shows a change', async () => {
    const world = await makePartWorld();
    world.edit(13_400);
    await saveCopy(world);
    world.edit(18_400);
    world.clock.now += MINUTE;
    await watchAmounts(world.deps);
    expect(await stateOf(world)).toBe('open');
  });

  it('does not freeze the invoice while our record explains the change, is under way or is a minute old', async () => {
    const world = await makePartWorld();
    await world.pay('50.00');
    world.edit(13_400);
    await saveCopy(world);
    await insertRecord(world, { state: 'sent', effect: '' });
    await watchAmounts(world.deps);
    expect(await stateOf(world)).toBe('open');
    await insertRecord(world, { state: 'written', effect: 'balance_moved' });
    await watchAmounts(world.deps);
    expect(await stateOf(world)).toBe('open');
    // The CRM answers as it did before that record.
    world.edit(18_400);
    await saveCopy({ ...world, clock: { ...world.clock } });
    expect((await world.pay('50.00')).kind).toBe('crm-unavailable');
    expect(await stateOf(world)).toBe('open');
    world.clock.now += MINUTE;
    await saveCopy(world);
    await watchAmounts(world.deps);
    expect(await stateOf(world)).toBe('frozen');
  });

  it('does not freeze an invoice that has since been paid', async () => {
    const world = await makePartWorld();
    await world.pay(null);
    world.edit(0, { status: 'paid' });
    await saveCopy(world);
    await watchAmounts(world.deps);
    expect(await stateOf(world)).toBe('open');
  });
});
