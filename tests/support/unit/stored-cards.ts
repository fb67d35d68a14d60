import { eq } from 'drizzle-orm';
import { paymentForm } from '#tests/support/pay-form';
import { approvedOutcome, freshId, makeWorld, type World } from '#tests/support/unit/world';
import { accounts, paymentAttempts, storedCards } from '#worker/data/schema/schema';
import type { Merchant } from '#worker/domain/merchants/session';
import { chargeStoredCard } from '#worker/domain/payments/charge-stored-card';
import { takePayment } from '#worker/domain/payments/take-payment';
import { boundTo } from '#worker/security/token-cipher';
import type { ChargeRequest } from '#worker/vendors/gateway-port';
import { StoredCardRef } from '#worker/vendors/gateway-port';

export type CardWorld = Awaited<ReturnType<typeof makeCardWorld>>;

/** A reference to a card with this token, sealed as in production. */
export const sealedRef = async ({ deps }: Pick<World, 'deps'>, cardId: string, token = `tok-${cardId}`) =>
  new StoredCardRef(cardId, await deps.sealer.seal(token, boundTo.storedCard(cardId)));

/** A clinic that keeps cards, whose payer can keep one. The gateway's responses name its token. */
export async function makeCardWorld(overrides: Record<string, unknown> = {}) {
  const world = await makeWorld(overrides);
  const { accountId, db, deps, gateway } = world;
  const desk: Merchant = { sessionId: '', accountId, userId: 1, role: 'desk' };
  await db.update(accounts).set({ keepsCards: true }).where(eq(accounts.accountId, accountId));
  gateway.script.charge = async (request: ChargeRequest) => ({
    ...approvedOutcome(request),
    ...(request.keepCardAs && { storedCard: await sealedRef(world, request.keepCardAs) }),
  });
  const cards = () => db.select().from(storedCards).where(eq(storedCards.accountId, accountId));
  return {
    ...world,
    desk,
    cards,
    card: async () => (await cards())[0],
    /** Pays the current invoice and ticks the offer to keep the card. */
    payKeeping: (fields: Parameters<typeof paymentForm>[0] = {}) =>
      takePayment(deps, world.payId, paymentForm({ keepCard: true, ...fields }), { clientIp: `ip-${accountId}` }),
    /** The CRM has another open bill of the same customer from now on. Returns its id. */
    nextBill: (balanceCents = 5_000): string => {
      const id = String(freshId());
      if (!world.crm.invoice) throw new Error('the CRM has no invoice');
      world.crm.invoice = { ...world.crm.invoice, id, number: `INV-${id}`, balanceCents, billedCents: balanceCents };
      return id;
    },
    charge: (invoiceId: string, fields: { amountCents?: number; key?: string; cardId?: string } = {}) => {
      const { amountCents = 5_000, key = crypto.randomUUID(), cardId } = fields;
      const request = async () => cardId ?? (await cards())[0]?.id ?? '';
      return request().then((id) => chargeStoredCard(deps, desk, id, { invoiceId, amountCents, key }));
    },
    attemptsOf: (invoiceId: string) =>
      db.select().from(paymentAttempts).where(eq(paymentAttempts.invoiceId, invoiceId)),
  };
}
