import { and, asc, desc, eq, inArray, isNull, lt } from 'drizzle-orm';
import type { Db } from './db.ts';
import { oweMail, signUpMailId } from './outbox.ts';
import { merchantLogs, merchants, terminals, users } from './schema.ts';

export type MerchantRow = typeof merchants.$inferSelect;

/** A merchant with devices and log, in one trip. */
export async function findMerchantData(db: Db, hubId: number) {
  const [[merchant], devices, logs] = await db.batch([
    db.select().from(merchants).where(eq(merchants.hubId, hubId)),
    db
      .select({ terminalId: terminals.terminalId, name: terminals.name, channel: terminals.channel })
      .from(terminals)
      .where(eq(terminals.hubId, hubId))
      .orderBy(asc(terminals.name)),
    db.select().from(merchantLogs).where(eq(merchantLogs.hubId, hubId)).orderBy(desc(merchantLogs.at)).limit(200),
  ]);
  return { merchant, devices, logs };
}

export const findMerchant = (db: Db, hubId: number) =>
  db.query.merchants.findFirst({ where: eq(merchants.hubId, hubId) });

export const findMerchantByNumber = (db: Db, merchantNumber: string) =>
  db.query.merchants.findFirst({ where: eq(merchants.merchantNumber, merchantNumber) });

export async function insertMerchant(db: Db, row: typeof merchants.$inferInsert): Promise<void> {
  await db.insert(merchants).values(row).onConflictDoNothing();
}

/** Win the right to apply for a hub; a claim that led to nothing within its time may be taken over. */
export async function claimApplication(db: Db, hubId: number, name: string, now: number, staleBefore: number) {
  const claimed = await db
    .insert(merchants)
    .values({ hubId, name, claimedAt: now })
    .onConflictDoUpdate({
      target: merchants.hubId,
      set: { name, claimedAt: now },
      setWhere: and(isNull(merchants.merchantNumber), lt(merchants.claimedAt, staleBefore)),
    })
    .returning();
  return claimed.length === 1;
}

export async function releaseApplication(db: Db, hubId: number): Promise<void> {
  await db.delete(merchants).where(and(eq(merchants.hubId, hubId), isNull(merchants.merchantNumber)));
}

/** Keep an application that was made, and owe its link to whoever signed up, in one transaction. */
export async function storeApplication(
  db: Db,
  hubId: number,
  application: { merchantNumber: string; signupUrl: string },
  recipient: string,
  now: number,
): Promise<MerchantRow | undefined> {
  const stored = db
    .update(merchants)
    .set({ ...application, status: 'applied' })
    .where(eq(merchants.hubId, hubId))
    .returning();
  const id = signUpMailId(application.merchantNumber);
  const [[row]] = recipient
    ? await db.batch([stored, oweMail(db, { id, kind: 'sign-up', recipient, hubId }, now)])
    : [await stored];
  return row;
}

/** Note an event once, and move the status unless the merchant is past it already; `boarded` is the last. */
export async function recordEvent(
  db: Db,
  log: typeof merchantLogs.$inferInsert,
  move: { to: MerchantRow['status']; from: MerchantRow['status'][] } | null,
): Promise<boolean> {
  const inserted = db.insert(merchantLogs).values(log).onConflictDoNothing().returning();
  if (!move) return (await inserted).length === 1;
  const [rows] = await db.batch([
    inserted,
    db
      .update(merchants)
      .set({ status: move.to })
      .where(and(eq(merchants.hubId, log.hubId), inArray(merchants.status, move.from))),
  ]);
  return rows.length === 1;
}

export async function isAdminOf(db: Db, { hubId, userId }: { hubId: number; userId: number }): Promise<boolean> {
  const user = await db.query.users.findFirst({ where: and(eq(users.hubId, hubId), eq(users.userId, userId)) });
  return user?.isAdmin ?? false;
}

export async function saveFooterText(db: Db, hubId: number, footerText: string): Promise<MerchantRow | undefined> {
  const [row] = await db.update(merchants).set({ footerText }).where(eq(merchants.hubId, hubId)).returning();
  return row;
}
