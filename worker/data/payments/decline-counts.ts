import { eq, type SQL, sql } from 'drizzle-orm';
import { payLinks } from '#worker/data/schema/schema';
import { type Db, writtenOnce } from '../db.ts';

/**
 * Velocity limits against card testing. Only submissions declined by the gateway count. The attempts themselves are
 * counted, so there is no separate counter that could be wrong.
 */
export type VelocityLimits = {
  perLinkHour: number;
  perIpHour: number;
  /** Declines of this address at other clinics within the hour; this database only has its own. */
  declinedElsewhere: number;
};

const HOUR = sql.raw('3600000');
const DAY = sql.raw('86400000');

/** A link is closed for the day after too many declines within one hour. */
const isLinkClosed = (payId: string, limit: number, now: number) => sql`EXISTS (
  SELECT 1 FROM payment_attempts d WHERE d.pay_id = ${payId} AND d.state = 'declined' AND d.created_at > ${now} - ${DAY}
  AND (SELECT count(*) FROM payment_attempts e WHERE e.pay_id = d.pay_id AND e.state = 'declined'
       AND e.created_at BETWEEN d.created_at - ${HOUR} AND d.created_at) >= ${limit})`;

const countDeclinesOfIp = (ipKey: string, now: number) =>
  sql`(SELECT count(*) FROM payment_attempts WHERE ip_key = ${ipKey} AND state = 'declined' AND created_at > ${now} - ${HOUR})`;

const countInFlightOfIp = (ipKey: string, now: number) =>
  sql`(SELECT count(*) FROM payment_attempts WHERE ip_key = ${ipKey} AND state = 'sent' AND created_at > ${now} - ${HOUR})`;

/** A submission with its limits. `now`: UTC ms. */
export type Submission = VelocityLimits & { payId: string; ipKey: string; now: number };

/**
 * True if another submission may reach the gateway. Above half of an address's limit, payments in flight count as
 * declined, so that a burst of stolen cards cannot pass between two counts.
 */
export const isWithinVelocityLimits = (submission: Submission): SQL => {
  const { payId, ipKey, perLinkHour, perIpHour, declinedElsewhere, now } = submission;
  const declines = sql`(${countDeclinesOfIp(ipKey, now)} + ${declinedElsewhere})`;
  return sql`(
  NOT ${isLinkClosed(payId, perLinkHour, now)}
  AND ${declines} < ${perIpHour}
  AND (${declines} * 2 < ${perIpHour} OR ${declines} + ${countInFlightOfIp(ipKey, now)} < ${perIpHour}))`;
};

export type VelocityCounts = { linkClosed: number; ipDeclines: number; recent: number; recentDeclined: number };

export type VelocityQuery = { ipKey: string; perLinkHour: number; windowMs: number; now: number };

/** Counts that explain a refusal before the claim. `recent`: submissions by link in the last `windowMs`. */
const buildCounts = (
  db: Db,
  { of: { payId, ipKey, perLinkHour, windowMs, now } }: { of: VelocityQuery & { payId: string } },
) => {
  const account = sql`(SELECT account_id FROM pay_links WHERE pay_id = ${payId})`;
  const countRecent = (states: SQL) =>
    sql`(SELECT count(*) FROM payment_attempts WHERE account_id = ${account} AND channel = 'link' AND state IN ${states} AND created_at > ${now} - ${windowMs})`;
  const counts = db
    .select({
      linkClosed: sql<number>`${isLinkClosed(payId, perLinkHour, now)}`.as('linkClosed'),
      ipDeclines: sql<number>`${countDeclinesOfIp(ipKey, now)}`.as('ipDeclines'),
      recent: sql<number>`${countRecent(sql`('approved', 'declined')`)}`.as('recent'),
      recentDeclined: sql<number>`${countRecent(sql`('declined')`)}`.as('recentDeclined'),
    })
    .from(payLinks)
    .where(eq(payLinks.payId, payId));
  return [counts];
};

export const countVelocity = writtenOnce(['of'], buildCounts);

/** The number of declines of an address at all clinics after `start` (UTC ms). */
export async function countDeclines({ $client }: Db, ipKey: string, start: number): Promise<number> {
  const row = await $client
    .prepare('SELECT count(*) AS n FROM declines WHERE ip_key = ?1 AND at > ?2')
    .bind(ipKey, start)
    .first<{ n: number }>();
  return row?.n ?? 0;
}

/** Record a decline of an address. `at`: UTC ms. */
export async function addDecline({ $client }: Db, ipKey: string, at: number): Promise<void> {
  await $client.prepare('INSERT INTO declines (ip_key, at) VALUES (?1, ?2)').bind(ipKey, at).run();
}
