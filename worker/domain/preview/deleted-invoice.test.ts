import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { lostOutcome, makeWorld, type World } from '#tests/support/unit/world';
import { invoices } from '#worker/data/schema/schema';
import type { Merchant } from '#worker/domain/merchants/session';
import { takePayment } from '#worker/domain/payments/take-payment';
import { mailPayLink, mailReceipt, mailToTypedAddress } from './mail-invoice.ts';
import { viewInvoice } from './view-invoice.ts';

/** Views an invoice that the CRM has deleted and that is marked as deleted in the copy. */
async function viewDeleted(world: World) {
  const { deps, db, accountId, invoiceId } = world;
  await db.update(invoices).set({ deletedAt: deps.now() }).where(eq(invoices.accountId, accountId));
  const crm = { ...deps.crm, getInvoiceSheet: async () => null };
  return viewInvoice({ ...deps, crm }, { accountId, userId: 1, role: 'manager', sessionId: '' }, invoiceId);
}

const pay = ({ deps, payId }: World) => takePayment(deps, payId, paymentForm(), { clientIp: null });

it('shows staff an invoice that is missing from the CRM if money was taken for it', async () => {
  const world = await makeWorld();
  await pay(world);
  expect(await viewDeleted(world)).toMatchObject({
    kind: 'preview',
    isStale: false,
    preview: { id: world.invoiceId, is_deleted_in_crm: true },
  });
});

it('shows staff a missing invoice while the outcome of a payment is unknown', async () => {
  const world = await makeWorld();
  world.gateway.script.charge = () => lostOutcome;
  await pay(world);
  expect((await viewDeleted(world)).kind).toBe('preview');
});

it('returns not-found for a missing invoice without a payment', async () => {
  expect((await viewDeleted(await makeWorld())).kind).toBe('not-found');
});

describe('the receipt of a payment whose invoice is missing from the CRM', () => {
  /** Deletes the invoice in the CRM, and marks its copy as deleted. */
  async function deleteInvoice(world: World) {
    world.crm.invoice = null;
    await world.db
      .update(invoices)
      .set({ deletedAt: world.deps.now(), contactLanguage: 'es' })
      .where(eq(invoices.accountId, world.accountId));
  }
  const staff = ({ accountId }: World): Merchant => ({ accountId, userId: 1, role: 'manager', sessionId: '' });

  it('is mailed to the last known address, in the customer’s language', async () => {
    const world = await makeWorld();
    await pay(world);
    await deleteInvoice(world);
    world.clock.now += world.deps.settings.MAIL_PAUSE_MS + 1;
    const outcome = await mailReceipt(world.deps, staff(world), world.invoiceId);
    expect(outcome).toMatchObject({ kind: 'sent', to: 'marta@example.test' });
    expect(world.mails.at(-1)).toMatchObject({
      to: 'marta@example.test',
      subject: expect.stringMatching(/^Recibo de la factura/),
    });
  });

  it('is mailed to the address of the first receipt once the copy has lost the customer’s data', async () => {
    const world = await makeWorld();
    await pay(world);
    await deleteInvoice(world);
    await world.db.update(invoices).set({ contactEmail: '' }).where(eq(invoices.accountId, world.accountId));
    world.clock.now += world.deps.settings.MAIL_PAUSE_MS + 1;
    expect(await mailReceipt(world.deps, staff(world), world.invoiceId)).toMatchObject({ to: 'marta@example.test' });
  });

  it('does not exist for a payment that was not made here, and no payment link is mailed either', async () => {
    const world = await makeWorld();
    await deleteInvoice(world);
    expect(await mailReceipt(world.deps, staff(world), world.invoiceId)).toEqual({ kind: 'not-found' });
    expect(await mailPayLink(world.deps, staff(world), world.invoiceId)).toEqual({ kind: 'not-found' });
    const to = 'other@payer.example';
    const typedAddress = { kind: 'pay-link' as const, to };
    expect(await mailToTypedAddress(world.deps, staff(world), world.invoiceId, typedAddress)).toEqual({
      kind: 'not-found',
    });
    expect(world.mails).toEqual([]);
  });
});
