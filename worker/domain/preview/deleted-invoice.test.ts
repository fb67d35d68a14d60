import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { lostOutcome, makeWorld, type World } from '#tests/support/unit/world';
import { invoices } from '#worker/data/schema/schema';
import { takePayment } from '#worker/domain/payments/take-payment';
import { viewInvoice } from './view-invoice.ts';

/** Views an invoice that the CRM has deleted and that is marked as deleted in the copy. */
async function viewDeleted(world: World) {
  const { deps, db, accountId, invoiceId } = world;
  await db.update(invoices).set({ deletedAt: deps.now() }).where(eq(invoices.accountId, accountId));
  const crm = { ...deps.crm, getInvoiceSheet: async () => null };
  return viewInvoice({ ...deps, crm }, { accountId, userId: 1, role: 'manager', sessionId: '' }, invoiceId);
}

const pay = ({ deps, payId }: World) => takePayment(deps, payId, paymentForm(), { clientIp: null });

it('shows staff an invoice missing from the CRM while money was taken for it', async () => {
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
