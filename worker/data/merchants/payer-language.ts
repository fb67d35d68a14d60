import { eq, sql } from 'drizzle-orm';
import type { Language } from '#shared/words/language';
import { accounts } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** What an account has set for all its payers. */
export const findPayerLanguage = async (db: Db, accountId: number): Promise<Language> =>
  (await db.select({ of: accounts.payerLanguage }).from(accounts).where(eq(accounts.accountId, accountId)))[0]?.of ??
  'en';

/** Keeps it, and in the same write the event with what it was before. */
export async function savePayerLanguage(db: Db, accountId: number, language: Language, event: NewEvent): Promise<void> {
  const own = eq(accounts.accountId, accountId);
  const before = sql`(SELECT json_object('language', payer_language) FROM accounts WHERE ${own})`;
  await db.batch([
    eventWrite(db, { ...event, before }),
    db.update(accounts).set({ payerLanguage: language }).where(own),
  ]);
}
