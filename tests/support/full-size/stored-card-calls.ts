import { eq } from 'drizzle-orm';
import { cardPath } from '#shared/paths';
import type { TestApp } from '#tests/support/login';
import { payerFields } from '#tests/support/pay-form';
import { makeBill, payIdOf } from '#tests/support/unit/clinic';
import { cardToken } from '#tests/support/wire';
import { paymentAttempts, type StoredCard } from '#worker/data/schema/schema';
import { findCardOfPayment } from '#worker/data/stored-cards/stored-cards';
import { readCard } from '#worker/domain/stored-cards/read-card';
import type { Ask } from './asker.ts';

/** Pays a bill of a customer and keeps the card, without measuring. */
async function keepCard(app: TestApp, token: string): Promise<StoredCard> {
  const { id } = await makeBill({ amount: '20.00', customer: 1 });
  const payId = await payIdOf(app, token, id);
  await app.request(`/api/invoices/takePaymentSDK/${payId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...payerFields(), paymentDetails: { jwt: await cardToken() }, keepCard: true }),
  });
  await app.settled();
  const [attempt] = await app.deps.db.select().from(paymentAttempts).where(eq(paymentAttempts.payId, payId));
  const card = attempt && (await findCardOfPayment(app.deps.db, attempt));
  if (!card) throw new Error('no card was stored');
  await readCard(app.deps, card);
  return card;
}

/** Calls for cards on file, of an account that keeps cards. */
export async function storedCardCalls(ask: Ask, app: TestApp, token: string): Promise<void> {
  const card = await keepCard(app, token);
  await ask('GET /api/stored-cards', { token, path: `/api/stored-cards?contactId=${card.contactId}` });
  const { id: invoiceId } = await makeBill({ amount: '30.00', customer: 1 });
  await ask('POST /api/stored-cards/:id/charges', {
    token,
    path: `/api/stored-cards/${card.id}/charges`,
    body: { invoiceId, amountCents: 3_000, key: crypto.randomUUID() },
  });
  await ask('DELETE /api/stored-cards/:id', { token, path: `/api/stored-cards/${card.id}` });
  const { removeKey } = await keepCard(app, token);
  await ask('GET /card/:removeKey', { path: cardPath(removeKey) });
  await ask('POST /card/:removeKey', { path: cardPath(removeKey) });
}
