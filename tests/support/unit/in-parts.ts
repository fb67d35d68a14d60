import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { makeCounter } from '#tests/support/terminals';
import { openParts, switchParts } from '#worker/domain/installments/open-and-close';
import type { Merchant } from '#worker/domain/merchants/session';
import { takePayment } from '#worker/domain/payments/take-payment';

/** A world with card readers and an invoice of $184.00 in parts of at least $20.00, which `ana` opened. */
export async function makePartWorld(overrides: Record<string, unknown> = {}) {
  const world = await makeCounter(overrides);
  const manager: Merchant = { ...world.ana, role: 'manager' };
  await switchParts(world.deps, manager, true);
  const open = () => openParts(world.deps, manager, world.invoiceId, { minCents: 2_000, deposit: null });
  expect(await open()).toMatchObject({ kind: 'opened', baseCents: 18_400 });
  const pay = (amount: string | null, fields: object = {}) =>
    takePayment(world.deps, world.payId, paymentForm({ ...(amount && { part: { amount } }), ...fields }), {
      clientIp: '10.0.0.1',
    });
  const edit = (balanceCents: number, fields: object = {}) => {
    world.crm.invoice = world.crm.invoice && { ...world.crm.invoice, balanceCents, ...fields };
  };
  const charged = () => world.gateway.charges.map(({ amountCents, dedupeKey }) => [amountCents, dedupeKey]);
  const collection = (n: number) =>
    env.DB.prepare('SELECT * FROM collections WHERE account_id = ? AND invoice_id = ? AND n = ?')
      .bind(world.accountId, world.invoiceId, n)
      .first<Record<string, unknown>>();
  const key = (suffix: string) => `${world.invoiceId}-${suffix}`;
  return { ...world, world, manager, open, pay, edit, charged, collection, key };
}
export type PartWorld = Awaited<ReturnType<typeof makePartWorld>>;
