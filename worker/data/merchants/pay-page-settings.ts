import { and, eq, ne, sql } from 'drizzle-orm';
import type { Language } from '#shared/words/language';
import { accounts, invoices } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** True if payers of an account see the lines of their bill. */
export const findShowsLines = async (db: Db, accountId: number): Promise<boolean> =>
  (await db.select({ showsLines: accounts.showsLines }).from(accounts).where(eq(accounts.accountId, accountId)))[0]
    ?.showsLines ?? false;

/**
 * Turning it off deletes the lines stored for the pay pages at once. Receipts keep theirs, hidden, as evidence of the
 * payment.
 */
export async function saveShowsLines(db: Db, accountId: number, showsLines: boolean, event: NewEvent): Promise<void> {
  const own = eq(accounts.accountId, accountId);
  const before = sql`(SELECT json_object('on', iif(shows_lines, json('true'), json('false'))) FROM accounts WHERE ${own})`;
  const isOff = showsLines
    ? []
    : [
        db
          .update(invoices)
          .set({ billLines: '' })
          .where(and(eq(invoices.accountId, accountId), ne(invoices.billLines, sql`''`))),
      ];
  await db.batch([eventWrite(db, { ...event, before }), db.update(accounts).set({ showsLines }).where(own), ...isOff]);
}

/** True if payers of an account may pay from a bank account. */
export const findTakesBankPayments = async (db: Db, accountId: number): Promise<boolean> => {
  const own = db.select({ isOn: accounts.takesBankPayments }).from(accounts);
  return (await own.where(eq(accounts.accountId, accountId)))[0]?.isOn ?? true;
};

/** Save the switch, and in the same batch an event with its previous position. */
export async function saveTakesBankPayments(db: Db, accountId: number, isOn: boolean, event: NewEvent): Promise<void> {
  const own = eq(accounts.accountId, accountId);
  const before = sql`(SELECT json_object('on', iif(takes_bank_payments, json('true'), json('false'))) FROM accounts WHERE ${own})`;
  await db.batch([
    eventWrite(db, { ...event, before }),
    db.update(accounts).set({ takesBankPayments: isOn }).where(own),
  ]);
}

/** The language that an account has set for all its payers. */
export const findPayerLanguage = async (db: Db, accountId: number): Promise<Language> =>
  (await db.select({ of: accounts.payerLanguage }).from(accounts).where(eq(accounts.accountId, accountId)))[0]?.of ??
  'en';

/** Save the language, and in the same batch an event with the previous one. */
export async function savePayerLanguage(db: Db, accountId: number, language: Language, event: NewEvent): Promise<void> {
  const own = eq(accounts.accountId, accountId);
  const before = sql`(SELECT json_object('language', payer_language) FROM accounts WHERE ${own})`;
  await db.batch([
    eventWrite(db, { ...event, before }),
    db.update(accounts).set({ payerLanguage: language }).where(own),
  ]);
}
