import { and, eq, lte, ne, sql } from 'drizzle-orm';
import type { Language } from '#shared/words/language';
import { accounts, invoices } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** The columns of an account's switches. */
const SWITCH_COLUMNS = {
  'bill-lines': 'showsLines',
  'bank-payments': 'takesBankPayments',
  'apple-pay': 'takesApplePay',
  'google-pay': 'takesGooglePay',
} as const;

/**
 * `bill-lines`: payers see the lines of their bill; `bank-payments`: they may pay from a bank account; `apple-pay` and
 * `google-pay`: they may pay with this wallet.
 */
export type PayPageSwitch = keyof typeof SWITCH_COLUMNS;

/** True if the switch of an account is on. */
export async function readSwitch(db: Db, accountId: number, name: PayPageSwitch): Promise<boolean> {
  const query = db.select({ isOn: accounts[SWITCH_COLUMNS[name]] }).from(accounts);
  return (await query.where(eq(accounts.accountId, accountId)))[0]?.isOn ?? false;
}

/** With Apple Pay, the registration of the host becomes due; without it, no registration is due. */
const withRegistration = (name: PayPageSwitch, isOn: boolean, at: number) =>
  name === 'apple-pay' ? { applePayNextAt: isOn ? at : null, applePayRefusal: '' } : {};

/**
 * Save a switch, and in the same batch an event with its previous state. Turning the bill lines off deletes the lines
 * stored for the pay pages at once. Receipts keep their lines as evidence of the payment, but do not show them.
 */
export async function saveSwitch(
  db: Db,
  accountId: number,
  { name, isOn }: { name: PayPageSwitch; isOn: boolean },
  event: NewEvent,
): Promise<void> {
  const isAccount = eq(accounts.accountId, accountId);
  const column = SWITCH_COLUMNS[name];
  const before = sql`(SELECT json_object('on', iif(${accounts[column]}, json('true'), json('false'))) FROM accounts WHERE ${isAccount})`;
  const storedLines = and(eq(invoices.accountId, accountId), ne(invoices.billLines, sql`''`));
  await db.batch([
    eventWrite(db, { ...event, before }),
    db
      .update(accounts)
      .set({ [column]: isOn, ...withRegistration(name, isOn, event.at) })
      .where(isAccount),
    ...(name === 'bill-lines' && !isOn ? [db.update(invoices).set({ billLines: '' }).where(storedLines)] : []),
  ]);
}

export type ApplePayState = Pick<
  typeof accounts.$inferSelect,
  'takesApplePay' | 'applePayHost' | 'applePayRefusal' | 'applePayNextAt'
>;

/** The switch of Apple Pay, with the state of the host's registration. */
export async function readApplePay(db: Db, accountId: number): Promise<ApplePayState | undefined> {
  const { takesApplePay, applePayHost, applePayRefusal, applePayNextAt } = accounts;
  const columns = { takesApplePay, applePayHost, applePayRefusal, applePayNextAt };
  return (await db.select(columns).from(accounts).where(eq(accounts.accountId, accountId)))[0];
}

/** Claim the registrations that are due. If the caller fails, each is due again at `nextAt` (UTC ms). */
export const claimRegistrations = (db: Db, now: number, nextAt: number): Promise<{ accountId: number }[]> =>
  db
    .update(accounts)
    .set({ applePayNextAt: nextAt })
    .where(lte(accounts.applePayNextAt, now))
    .returning({ accountId: accounts.accountId });

/** Record the outcome of a registration, unless Apple Pay has been switched off since. */
export async function recordRegistration(
  db: Db,
  accountId: number,
  outcome: Partial<Pick<ApplePayState, 'applePayHost' | 'applePayRefusal' | 'applePayNextAt'>>,
): Promise<void> {
  await db
    .update(accounts)
    .set(outcome)
    .where(and(eq(accounts.accountId, accountId), eq(accounts.takesApplePay, true)));
}

/** The language that an account has set for all its payers. */
export const findPayerLanguage = async (db: Db, accountId: number): Promise<Language> =>
  (await db.select({ language: accounts.payerLanguage }).from(accounts).where(eq(accounts.accountId, accountId)))[0]
    ?.language ?? 'en';

/** Save the language, and in the same batch an event with the previous one. */
export async function savePayerLanguage(db: Db, accountId: number, language: Language, event: NewEvent): Promise<void> {
  const isAccount = eq(accounts.accountId, accountId);
  const before = sql`(SELECT json_object('language', payer_language) FROM accounts WHERE ${isAccount})`;
  await db.batch([
    eventWrite(db, { ...event, before }),
    db.update(accounts).set({ payerLanguage: language }).where(isAccount),
  ]);
}
