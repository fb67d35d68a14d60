import { and, asc, desc, eq, getTableColumns, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Colleague } from '#shared/contracts/staff/session';
import { SUPPORT_USER } from '#shared/contracts/staff/team-values';
import { signUpMailId } from '#worker/data/mail/outbox';
import { accounts, merchantLogs, merchants, outbox, terminals } from '#worker/data/schema/schema';
import { type NewTerminalRow, upsertTerminal } from '#worker/data/terminals/terminals';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { selectValues } from '../sql.ts';

export type MerchantRow = typeof merchants.$inferSelect;

/** SQL: JSON with the name, or else the address, of the last person of each role to log in, apart from this user. */
const colleaguesOf = (accountId: number, userId: number) =>
  sql<string>`(SELECT json_group_array(json_object('role', role, 'name', coalesce(nullif(name, ''), email)))
    FROM (SELECT role, name, email, max(last_login_at) FROM users
      WHERE account_id = ${accountId} AND user_id > ${SUPPORT_USER} AND user_id <> ${userId} AND removed_at IS NULL
        AND email <> '' GROUP BY role))`;

/** The last person of each role to log in, apart from this user. */
export async function listColleagues(
  db: Db,
  { accountId, userId }: { accountId: number; userId: number },
): Promise<Colleague[]> {
  const row = await db.get<{ colleagues: string }>(sql`SELECT ${colleaguesOf(accountId, userId)} AS colleagues`);
  return JSON.parse(row?.colleagues ?? '[]') as Colleague[];
}

/**
 * An account and its merchant, which is null before the sign-up, with its terminals and its newest 200 log events, in
 * one round trip. `firstHourEndedAt`: the time at which the account's setup list was dismissed (UTC ms). `timeZone`: an
 * IANA zone. `userId`: the person who requests the data; without one, name and address are null, and the JSON of
 * `colleagues` is empty.
 */
export async function findMerchantData(db: Db, accountId: number, userId = SUPPORT_USER) {
  const personColumn = (column: 'name' | 'email') =>
    sql<string | null>`(SELECT ${sql.raw(column)} FROM users WHERE account_id = ${accountId} AND user_id = ${userId})`;
  const [[account], devices, logs] = await db.batch([
    db
      .select({
        merchant: getTableColumns(merchants),
        firstHourEndedAt: accounts.firstHourEndedAt,
        timeZone: accounts.timeZone,
        personName: personColumn('name'),
        personEmail: personColumn('email'),
        colleagues: userId === SUPPORT_USER ? sql<string>`'[]'` : colleaguesOf(accountId, userId),
      })
      .from(accounts)
      .leftJoin(merchants, eq(merchants.accountId, accounts.accountId))
      .where(eq(accounts.accountId, accountId)),
    db
      .select({ terminalId: terminals.terminalId, name: terminals.name, channel: terminals.channel })
      .from(terminals)
      .where(eq(terminals.accountId, accountId))
      .orderBy(asc(terminals.name)),
    db
      .select()
      .from(merchantLogs)
      .where(eq(merchantLogs.accountId, accountId))
      .orderBy(desc(merchantLogs.at))
      .limit(200),
  ]);
  return { account, devices, logs };
}

export const findMerchant = (db: Db, accountId: number) =>
  db.query.merchants.findFirst({ where: eq(merchants.accountId, accountId) });

export const findMerchantByNumber = (db: Db, merchantNumber: string) =>
  db.query.merchants.findFirst({ where: eq(merchants.merchantNumber, merchantNumber) });

export async function insertMerchant(db: Db, row: typeof merchants.$inferInsert): Promise<void> {
  await db.insert(merchants).values(row).onConflictDoNothing();
}

/** Claim the application of an account; an unfinished claim made before `staleBefore` may be taken over. */
export async function claimApplication(
  db: Db,
  accountId: number,
  name: string,
  now: number,
  staleBefore: number,
  event: NewEvent,
): Promise<boolean> {
  const [claimed] = await db.batch([
    db
      .insert(merchants)
      .values({ accountId, name, claimedAt: now })
      .onConflictDoUpdate({
        target: merchants.accountId,
        set: { name, claimedAt: now },
        setWhere: and(isNull(merchants.merchantNumber), lt(merchants.claimedAt, staleBefore)),
      })
      .returning(),
    eventWrite(db, event),
  ]);
  return claimed.length === 1;
}

/** Release a claim, unless it was taken over. */
export async function releaseApplication(db: Db, accountId: number, claimedAt: number, event: NewEvent): Promise<void> {
  await db.batch([
    db
      .delete(merchants)
      .where(
        and(eq(merchants.accountId, accountId), isNull(merchants.merchantNumber), eq(merchants.claimedAt, claimedAt)),
      ),
    eventWrite(db, event),
  ]);
}

/** Condition: this is still the account's application. */
const isApplicationOf = (accountId: number, merchantNumber: string) =>
  sql`EXISTS (SELECT 1 FROM merchants WHERE account_id = ${accountId} AND merchant_number = ${merchantNumber})`;

/**
 * Save a new application and queue its sign-up email, in one transaction. Undefined if the account already has another
 * application, which stays.
 */
export async function storeApplication(
  db: Db,
  application: { accountId: number; name: string; merchantNumber: string; signupUrl: string },
  recipient: string,
  now: number,
  event: NewEvent,
): Promise<MerchantRow | undefined> {
  const { accountId, merchantNumber } = application;
  const row = { ...application, status: 'applied' as const };
  const stored = db
    .insert(merchants)
    .values({ ...row, claimedAt: now })
    .onConflictDoUpdate({ target: merchants.accountId, set: row, setWhere: isNull(merchants.merchantNumber) })
    .returning();
  const mail = {
    id: signUpMailId(merchantNumber),
    kind: 'sign-up' as const,
    recipient,
    accountId,
    nextTryAt: now,
    createdAt: now,
  };
  const mailInsert = db.insert(outbox).select(selectValues(outbox, mail, isApplicationOf(accountId, merchantNumber)));
  const eventInsert = eventWrite(db, event);
  const [[saved]] = await db.batch(
    recipient ? [stored, eventInsert, mailInsert.onConflictDoNothing()] : [stored, eventInsert],
  );
  return saved;
}

export type BoardingUpdate = {
  log: typeof merchantLogs.$inferInsert;
  /** The status after the event, and the statuses from which it may change. */
  statusChange: { to: MerchantRow['status']; from: MerchantRow['status'][] } | null;
  /** Keys are sealed, and were confirmed by the gateway. */
  newTerminals: NewTerminalRow[];
};

/**
 * Log an event of an account's application once, save its terminals, and update the status unless the merchant is
 * already beyond it, in one transaction. Writes nothing if this is no longer the account's application.
 */
export async function recordBoardingEvent(
  db: Db,
  merchantNumber: string,
  { log, statusChange, newTerminals }: BoardingUpdate,
  event: NewEvent,
): Promise<'new' | 'known' | 'not-theirs'> {
  const { accountId, at } = log;
  const isCurrent = isApplicationOf(accountId, merchantNumber);
  const before = sql`(SELECT json_object('status', status) FROM merchants WHERE account_id = ${accountId})`;
  const [matching, logged] = await db.batch([
    db
      .select({ accountId: merchants.accountId })
      .from(merchants)
      .where(and(eq(merchants.accountId, accountId), isCurrent)),
    db
      .insert(merchantLogs)
      .select(selectValues(merchantLogs, log, isCurrent))
      .onConflictDoNothing()
      .returning(),
    eventWrite(db, { ...event, before }),
    ...newTerminals.map((row) => upsertTerminal(db, row, at, isCurrent)),
    ...(statusChange
      ? [
          db
            .update(merchants)
            .set({ status: statusChange.to })
            .where(and(isCurrent, inArray(merchants.status, statusChange.from), eq(merchants.accountId, accountId))),
        ]
      : []),
  ]);
  if (matching.length === 0) return 'not-theirs';
  return logged.length === 1 ? 'new' : 'known';
}

export async function saveFooterText(
  db: Db,
  accountId: number,
  footerText: string,
  event: NewEvent,
): Promise<MerchantRow | undefined> {
  const before = sql`(SELECT json_object('text', footer_text) FROM merchants WHERE account_id = ${accountId})`;
  const [, [row]] = await db.batch([
    eventWrite(db, { ...event, before }, sql`EXISTS (SELECT 1 FROM merchants WHERE account_id = ${accountId})`),
    db.update(merchants).set({ footerText }).where(eq(merchants.accountId, accountId)).returning(),
  ]);
  return row;
}
