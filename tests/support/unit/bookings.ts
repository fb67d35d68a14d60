import { eq } from 'drizzle-orm';
import { localDay } from '#shared/text/local-day';
import { findAttempt } from '#worker/data/payments/attempts';
import { type AttemptState, accounts, ledger, paymentAttempts } from '#worker/data/schema/schema';
import { settle } from '#worker/domain/payments/settle';
import { freshId, makeWorld, type World } from './world.ts';

export type Sale = {
  at: number;
  cents: number;
  to?: AttemptState;
  brand?: string;
  method?: 'card' | 'ach';
  lastFour?: string;
  invoiceId?: string;
};

/** Stores a sent attempt and settles it. Returns its id. */
export async function sell(world: World, zone: string, sale: Sale): Promise<string> {
  const { db, accountId } = world;
  const id = `a${freshId()}`;
  const { at, cents, to = 'approved', brand = 'VISA', method = 'card', lastFour = '1111', invoiceId = id } = sale;
  await db.insert(paymentAttempts).values({
    id,
    accountId,
    invoiceId,
    collection: 1,
    terminalId: 't',
    channel: 'link',
    method,
    amountCents: cents,
    currency: 'USD',
    invoiceNumber: id,
    dedupeKey: id,
    receiptId: id,
    holdUntil: at,
    createdAt: at,
    timeZone: zone,
    day: localDay(at, zone),
  });
  const attempt = await findAttempt(db, id);
  if (!attempt) throw new Error('the attempt is not stored');
  const txn = {
    id: `g${id}`,
    authCode: '',
    brand,
    lastFour,
    maskedCard: '',
    result: '',
    avsResult: '',
    cscResult: '',
    feeCents: null,
  };
  await settle(world.deps, attempt, { to, from: ['sent'], at, txn: to === 'approved' ? txn : null });
  return id;
}

/** Books a refund or a void of a payment (cents). */
export async function bookReversal(
  world: World,
  zone: string,
  attemptId: string,
  cents: number,
  at: number,
  kind: 'refund' | 'void' = 'refund',
) {
  await world.db.insert(ledger).values({
    accountId: world.accountId,
    providerTxnId: `r${freshId()}`,
    attemptId,
    invoiceId: attemptId,
    kind,
    amountCents: -cents,
    currency: 'USD',
    channel: 'link',
    method: 'card',
    brand: 'VISA',
    at,
    day: localDay(at, zone),
  });
}

/** A world whose account is in this time zone. */
export const makeWorldIn = async (zone: string) => {
  const world = await makeWorld();
  await world.db.update(accounts).set({ timeZone: zone }).where(eq(accounts.accountId, world.accountId));
  return world;
};
