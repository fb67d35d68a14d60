import { and, asc, desc, eq, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { type Attempt, type CardEnding, type StoredCard, storedCards } from '#worker/data/schema/schema';
import { eventWrite, eventWriteFrom, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { type NewMail, queueMail } from '../mail/outbox.ts';

const isOpen = isNull(storedCards.endedAt);

export const findStoredCard = (db: Db, accountId: number, id: string): Promise<StoredCard | undefined> =>
  db.query.storedCards.findFirst({ where: and(eq(storedCards.accountId, accountId), eq(storedCards.id, id)) });

/** The card that a payment stored or charged, if it has not ended. */
export async function findCardOfPayment(
  db: Db,
  { id, storedCardId, keepCardFor }: Pick<Attempt, 'id' | 'storedCardId' | 'keepCardFor'>,
): Promise<StoredCard | undefined> {
  if (storedCardId === null && keepCardFor === '') return undefined;
  return db.query.storedCards.findFirst({ where: and(eq(storedCards.id, storedCardId ?? id), isOpen) });
}

export const findCardByRemoveKey = (db: Db, removeKey: string): Promise<StoredCard | undefined> =>
  db.query.storedCards.findFirst({ where: eq(storedCards.removeKey, removeKey) });

/** The stored cards of a contact, newest first: those in use, and those that ended because they expired. */
export const listCardsOfContact = (db: Db, accountId: number, contactId: string): Promise<StoredCard[]> =>
  db
    .select()
    .from(storedCards)
    .where(
      and(
        eq(storedCards.accountId, accountId),
        eq(storedCards.contactId, contactId),
        or(isOpen, eq(storedCards.endedReason, 'expired')),
      ),
    )
    .orderBy(desc(storedCards.consentAt));

/**
 * The other open cards that may have the same token, because the provider may have one token per card. An empty brand or
 * empty digits may be any: an erased card has no digits, and the provider may not name a declined one.
 */
export const listLookAlikeCards = (
  db: Db,
  card: Pick<StoredCard, 'id' | 'accountId' | 'brand' | 'lastFour'>,
): Promise<StoredCard[]> =>
  db
    .select()
    .from(storedCards)
    .where(
      and(
        eq(storedCards.accountId, card.accountId),
        sql`(${card.brand} = '' OR ${storedCards.brand} IN (${card.brand}, ''))`,
        sql`(${card.lastFour} = '' OR ${storedCards.lastFour} IN (${card.lastFour}, ''))`,
        ne(storedCards.id, card.id),
        isOpen,
      ),
    );

/**
 * Condition for a claim: the card has not ended, the account keeps cards, and no attempt of the invoice has the request's
 * key, whatever its outcome.
 */
export const isChargeable = (
  { id, accountId }: Pick<StoredCard, 'id' | 'accountId'>,
  { invoiceId, key }: { invoiceId: string; key: string },
): SQL =>
  sql`EXISTS (SELECT 1 FROM stored_cards WHERE id = ${id} AND ended_at IS NULL)
    AND EXISTS (SELECT 1 FROM accounts WHERE account_id = ${accountId} AND keeps_cards = 1)
    AND NOT EXISTS (SELECT 1 FROM payment_attempts WHERE account_id = ${accountId} AND invoice_id = ${invoiceId}
                    AND attempt_key = ${key})`;

/**
 * End a card, so that no claim can charge it from now on, and make its deletion at the provider due. False if it had
 * already ended. `mail`: an email about the end. `at`: UTC ms.
 */
export async function endCard(
  db: Db,
  { id }: Pick<StoredCard, 'id'>,
  { reason, at }: { reason: CardEnding; at: number },
  event: NewEvent,
  mail?: NewMail,
): Promise<boolean> {
  const [ended] = await db.batch([
    db
      .update(storedCards)
      .set({ endedAt: at, endedReason: reason, nextAt: at })
      .where(and(eq(storedCards.id, id), isOpen))
      .returning({ id: storedCards.id }),
    eventWrite(db, event),
    ...(mail ? [queueMail(db, mail, at)] : []),
  ]);
  return ended.length === 1;
}

/** Record that the provider has no ended card any more, so its token is of no use. */
export async function recordDeletion(db: Db, { id }: Pick<StoredCard, 'id'>): Promise<void> {
  await db
    .update(storedCards)
    .set({ token: '', nextAt: null })
    .where(and(eq(storedCards.id, id), sql`${storedCards.endedAt} IS NOT NULL`));
}

/** Record an open card's facts at the provider, and the time of the schedule's next step. */
export async function recordCardFacts(
  db: Db,
  { id }: Pick<StoredCard, 'id'>,
  facts: Partial<Pick<StoredCard, 'token' | 'expiresOn' | 'expiryMailedAt' | 'nextAt'>>,
): Promise<void> {
  await db
    .update(storedCards)
    .set(facts)
    .where(and(eq(storedCards.id, id), isOpen));
}

/** Queue the email about the expiry of a card, once, and record that it was queued. */
export async function recordExpiryMail(
  db: Db,
  { id }: Pick<StoredCard, 'id'>,
  { at, nextAt }: { at: number; nextAt: number },
  mail: NewMail | null,
): Promise<void> {
  await db.batch([
    db
      .update(storedCards)
      .set({ expiryMailedAt: at, nextAt })
      .where(and(eq(storedCards.id, id), isOpen)),
    ...(mail ? [queueMail(db, mail, at)] : []),
  ]);
}

/** Claim the cards with a due step. If the caller fails, each is due again at `nextAt` (UTC ms). */
export async function claimDueCards(db: Db, now: number, nextAt: number, limit: number): Promise<StoredCard[]> {
  const due = db
    .select({ id: storedCards.id })
    .from(storedCards)
    .where(lte(storedCards.nextAt, now))
    .orderBy(asc(storedCards.nextAt))
    .limit(limit);
  return db
    .update(storedCards)
    .set({ nextAt })
    .where(and(sql`${storedCards.id} IN ${due}`, lte(storedCards.nextAt, now)))
    .returning();
}

/** The language of the payer's page, as in keepCardFields(). */
const LANGUAGE = sql.raw(`coalesce(nullif(payer_language, ''),
  (SELECT a.payer_language FROM accounts a WHERE a.account_id = payment_attempts.account_id))`);

/** A card that an approved payment keeps; all other columns come from the payment's row. */
export type KeptCard = { paymentId: string; token: string; removeKey: string; at: number };

/**
 * Statements that store the card of an approved payment, once, and end an earlier card that it replaces, each with its
 * event. `isPaid`: the payment is approved and booked. `replacedEvent`: its subject is filled in. Run them in the batch
 * that approves the payment.
 */
export function keepCardWrites(
  db: Db,
  { paymentId, token, removeKey, at }: KeptCard,
  isPaid: SQL,
  { event, replacedEvent }: { event: NewEvent; replacedEvent: NewEvent },
) {
  const isNew = sql`${isPaid} AND NOT EXISTS (SELECT 1 FROM stored_cards WHERE id = ${paymentId})
    AND EXISTS (SELECT 1 FROM payment_attempts WHERE id = ${paymentId} AND keep_card_for <> '')`;
  const payment = sql`(SELECT account_id, keep_card_for, card_brand, card_last_four FROM payment_attempts
    WHERE id = ${paymentId})`;
  const isReplaced = sql`(account_id, contact_id, brand, last_four) = ${payment} AND ended_at IS NULL AND ${isNew}`;
  const replacedId = sql`(SELECT id FROM stored_cards WHERE ${isReplaced})`;
  return [
    // Before the update, after which the card is no longer open.
    eventWriteFrom(db, replacedEvent, '', sql`EXISTS ${replacedId}`, replacedId),
    db.update(storedCards).set({ endedAt: at, endedReason: 'replaced', nextAt: at }).where(isReplaced),
    db
      .insert(storedCards)
      .select(
        sql`SELECT id, account_id, keep_card_for, terminal_id, ${token}, card_brand, card_last_four, '',
          keep_card_words, ${LANGUAGE}, created_at, receipt_to, ${removeKey}, NULL,
          NULL, NULL, ${at} FROM payment_attempts WHERE id = ${paymentId} AND ${isNew}`,
      )
      .onConflictDoNothing(),
    eventWrite(db, event),
  ];
}
