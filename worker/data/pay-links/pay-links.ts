import { and, asc, desc, eq, gt, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm';
import { ONLINE_CURRENCY } from '#shared/money';
import { invoices, payLinks } from '#worker/data/schema/schema';
import { eventStatements, eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { prepare, raw, rawSql } from '../sql.ts';

export type PayLinkRow = typeof payLinks.$inferSelect;

const isLiveLinkOf = (accountId: number, invoiceId: string) =>
  and(eq(payLinks.accountId, accountId), eq(payLinks.invoiceId, invoiceId), eq(payLinks.state, 'live'));

/** The live link of an invoice, unless it has expired. */
export async function findLiveLink(db: Db, accountId: number, invoiceId: string, now: number) {
  const link = await db.query.payLinks.findFirst({ where: isLiveLinkOf(accountId, invoiceId) });
  return link && link.endsAt > now ? link : undefined;
}

/**
 * Replace the live link of an invoice with this one, in one transaction. `replaced`: the link to revoke, or the time
 * (UTC ms) by which it must have expired. Of several concurrent calls, one wins; all return the link that is live
 * afterwards.
 */
export async function replaceLink(
  db: Db,
  link: typeof payLinks.$inferInsert,
  replaced: { revoked: string } | { endedAt: number },
  events: { issued: NewEvent; closed: NewEvent },
): Promise<PayLinkRow> {
  const isLive = isLiveLinkOf(link.accountId, link.invoiceId);
  const [, , , , [live]] = await db.batch([
    'revoked' in replaced
      ? db
          .update(payLinks)
          .set({ state: 'revoked' })
          .where(and(isLive, eq(payLinks.payId, replaced.revoked)))
      : db
          .update(payLinks)
          .set({ state: 'ended' })
          .where(and(isLive, lte(payLinks.endsAt, replaced.endedAt))),
    eventWrite(db, events.closed),
    db.insert(payLinks).values(link).onConflictDoNothing(),
    eventWrite(db, events.issued),
    db.select().from(payLinks).where(isLive),
  ]);
  if (!live) throw new Error('no link is live after one was made');
  return live;
}

/**
 * Schedule the revocation of a live link for `revokeAt` (UTC ms). A revocation that is already scheduled stays
 * unchanged, without a second event. Undefined if the link is no longer live.
 */
export async function scheduleRevocation(
  db: Db,
  payId: string,
  revokeAt: number,
  event: NewEvent,
): Promise<PayLinkRow | undefined> {
  const isLiveLink = and(eq(payLinks.payId, payId), eq(payLinks.state, 'live'));
  const [, , [link]] = await db.batch([
    db
      .update(payLinks)
      .set({ revokeAt })
      .where(and(isLiveLink, isNull(payLinks.revokeAt))),
    eventWrite(db, event),
    db.select().from(payLinks).where(isLiveLink),
  ]);
  return link;
}

/** Cancel a scheduled revocation that is not due yet. Undefined if there is none. */
export async function cancelRevocation(
  db: Db,
  accountId: number,
  invoiceId: string,
  now: number,
  event: NewEvent,
): Promise<PayLinkRow | undefined> {
  const [[link]] = await db.batch([
    db
      .update(payLinks)
      .set({ revokeAt: null })
      .where(and(isLiveLinkOf(accountId, invoiceId), gt(payLinks.revokeAt, now)))
      .returning(),
    eventWrite(db, event),
  ]);
  return link;
}

/** Live links whose revocation is due, earliest first. */
export const listDueRevocations = (db: Db, now: number, limit: number): Promise<PayLinkRow[]> =>
  db
    .select()
    .from(payLinks)
    .where(and(eq(payLinks.state, sql`'live'`), isNotNull(payLinks.revokeAt), lte(payLinks.revokeAt, now)))
    .orderBy(asc(payLinks.revokeAt))
    .limit(limit);

/** Extend a link to `endsAt` (UTC ms), unless it already ends later. */
export async function extendLink(
  db: Db,
  payId: string,
  endsAt: number,
  event: NewEvent,
): Promise<PayLinkRow | undefined> {
  const isEarlier = sql`EXISTS (SELECT 1 FROM pay_links WHERE pay_id = ${payId} AND ends_at < ${endsAt})`;
  const before = sql`(SELECT json_object('endsAt', ends_at) FROM pay_links WHERE pay_id = ${payId})`;
  const [, [link]] = await db.batch([
    eventWrite(db, { ...event, before }, isEarlier),
    db
      .update(payLinks)
      .set({ endsAt: sql`max(${payLinks.endsAt}, ${endsAt})` })
      .where(eq(payLinks.payId, payId))
      .returning(),
  ]);
  return link;
}

/** Live links of an account whose invoices were payable by card at the last sync, newest first. */
export const listPayableLinks = (db: Db, accountId: number, now: number) =>
  db
    .select({ payId: payLinks.payId, invoiceId: payLinks.invoiceId })
    .from(payLinks)
    .innerJoin(invoices, and(eq(invoices.accountId, payLinks.accountId), eq(invoices.invoiceId, payLinks.invoiceId)))
    .where(
      and(
        eq(payLinks.accountId, accountId),
        eq(payLinks.state, 'live'),
        gt(payLinks.endsAt, now),
        eq(invoices.status, 'open'),
        eq(invoices.currency, ONLINE_CURRENCY),
        gt(invoices.balanceCents, 0),
        eq(invoices.localStatus, 'none'),
        ne(invoices.contactEmail, ''),
      ),
    )
    .orderBy(desc(payLinks.issuedAt), payLinks.payId);

/** Page loads within this time (ms) count as one view of the bill. */
const VIEW_GAP_MS = 60_000;
/** The maximum number of stored views per invoice, so that a link's holder cannot fill the clinic's database. */
const MAX_VIEWS = 100;

/** Record a view of a live link's page once per load, except for the staff of account `exceptAccountId`. */
export async function recordPageView(
  { $client: d1 }: Db,
  { payId, loadId, exceptAccountId }: { payId: string; loadId: string; exceptAccountId: number | null },
  now: number,
): Promise<void> {
  const viewsOfInvoice = 'FROM page_views o WHERE o.account_id = l.account_id AND o.invoice_id = l.invoice_id';
  await prepare(
    d1,
    rawSql`INSERT INTO page_views (account_id, invoice_id, load_id, at)
      SELECT l.account_id, l.invoice_id, ${loadId}, ${now} FROM pay_links l
      WHERE l.pay_id = ${payId} AND l.state = 'live' AND l.ends_at > ${now} AND l.account_id IS NOT ${exceptAccountId}
        AND NOT EXISTS (SELECT 1 ${raw(viewsOfInvoice)} AND o.at > ${now - VIEW_GAP_MS})
        AND (SELECT count(*) ${raw(viewsOfInvoice)}) < ${MAX_VIEWS}
      ON CONFLICT DO NOTHING`,
  ).run();
}

export type NewLink = { payId: string; invoiceId: string; endsAt: number };
export type LiveLink = { payId: string; endsAt: number };

/**
 * Insert these links for the invoices that have no live link, in one transaction. Returns all invoices' live links;
 * concurrent calls get the same links.
 */
export async function insertMissingLinks(
  { $client: d1 }: Db,
  accountId: number,
  links: NewLink[],
  now: number,
  events: { issued: NewEvent; ended: NewEvent },
): Promise<Map<string, LiveLink>> {
  const json = JSON.stringify(links);
  const isListed = `invoice_id IN (SELECT value ->> 'invoiceId' FROM json_each(?2))`;
  const [, , , , live] = await d1.batch<{ invoice_id: string; pay_id: string; ends_at: number }>([
    // Before the update, because afterwards these links cannot be distinguished from links that ended earlier.
    eventStatements(
      d1,
      events.ended,
      `SELECT invoice_id AS subject_id, json_object('endsAt', ends_at) AS before, '' AS after FROM pay_links
        WHERE account_id = ?1 AND state = 'live' AND ends_at <= ?12
        AND invoice_id IN (SELECT value ->> 'invoiceId' FROM json_each(?11))`,
      [json, now],
    ),
    d1
      .prepare(
        `UPDATE pay_links SET state = 'ended' WHERE account_id = ?1 AND state = 'live' AND ${isListed} AND ends_at <= ?3`,
      )
      .bind(accountId, json, now),
    d1
      .prepare(
        `INSERT INTO pay_links (pay_id, account_id, invoice_id, issued_at, ends_at)
        SELECT value ->> 'payId', ?1, value ->> 'invoiceId', ?3, value ->> 'endsAt' FROM json_each(?2) WHERE true
        ON CONFLICT DO NOTHING`,
      )
      .bind(accountId, json, now),
    eventStatements(
      d1,
      events.issued,
      `SELECT p.invoice_id AS subject_id, '' AS before, json_object('endsAt', p.ends_at) AS after
        FROM json_each(?11) JOIN pay_links p ON p.pay_id = value ->> 'payId'`,
      [json],
    ),
    d1
      .prepare(
        `SELECT invoice_id, pay_id, ends_at FROM pay_links WHERE account_id = ?1 AND state = 'live' AND ${isListed}`,
      )
      .bind(accountId, json),
  ]);
  return new Map(
    (live?.results ?? []).map(({ invoice_id, pay_id, ends_at }) => [invoice_id, { payId: pay_id, endsAt: ends_at }]),
  );
}
