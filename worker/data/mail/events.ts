import type { MailStatus } from '#worker/vendors/resend/port';
import type { Db } from '../db.ts';

/**
 * An event of an email. `id`: unique; `at`: the mail service's time (UTC ms); `providerId`: the mail service's id of
 * the email.
 */
export type ReportedMail = MailStatus & { id: string; mailId: string; providerId: string; at: number };

/**
 * Ranks delivery states. The higher state wins, or the later one of two equal states, regardless of the order in which
 * the events arrive.
 */
const rank = (delivery: string) =>
  `CASE ${delivery} WHEN 'accepted' THEN 1 WHEN 'delayed' THEN 2 WHEN 'delivered' THEN 3 WHEN 'complained' THEN 5 ELSE 4 END`;

const INSERT_EVENT = `INSERT INTO mail_events (id, mail_id, type, at, heard_at) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT DO NOTHING`;

/** An event proves that the service accepted the email, even if its response to us was lost. */
const UPDATE_DELIVERY = `UPDATE outbox SET delivery = ?3, delivery_at = ?4, provider_id = coalesce(provider_id, ?2),
  ask_at = iif(${rank('?3')} < 3, ask_at, NULL), sent_at = iif(state = 'sent', sent_at, ?4), state = 'sent'
WHERE id = ?1 AND (provider_id IS NULL OR provider_id = ?2)
  AND (delivery IS NULL OR (${rank('delivery')}, delivery_at, delivery) < (${rank('?3')}, ?4, ?3))`;

const UPDATE_ARRIVAL = `UPDATE outbox SET arrived_at = max(coalesce(arrived_at, 0), ?3) WHERE id = ?1 AND provider_id = ?2`;

/** SQL that clears an address to which a later email was delivered, unless its owner complained. */
const CLEAR_ADDRESS = `DELETE FROM mail_addresses WHERE why <> 'complained' AND at < ?3 AND (account_id, address) IN (
  SELECT account_id, lower(recipient) FROM outbox WHERE id = ?1 AND provider_id = ?2)`;

const MARK_ADDRESS = `INSERT INTO mail_addresses (account_id, address, why, mail_id, at)
SELECT o.account_id, lower(o.recipient), ?3, o.id, ?4 FROM outbox o
WHERE o.id = ?1 AND o.provider_id = ?2 AND o.account_id IS NOT NULL AND o.recipient <> ''
  AND (?3 = 'complained' OR NOT EXISTS (SELECT 1 FROM outbox a INDEXED BY outbox_arrived
    WHERE a.account_id = o.account_id AND lower(a.recipient) = lower(o.recipient) AND a.arrived_at > ?4 AND a.arrived_at IS NOT NULL))
ON CONFLICT (account_id, address) DO UPDATE SET why = excluded.why, mail_id = excluded.mail_id, at = excluded.at
WHERE (excluded.why = 'complained', excluded.at, excluded.why) > (mail_addresses.why = 'complained', mail_addresses.at, mail_addresses.why)`;

/**
 * Store an event of the mail service and update its email and address. The same events lead to the same rows,
 * regardless of their order and of repeats. `database`: the installation's database stores no customers' addresses.
 */
export async function recordMailEvent(
  { $client: d1 }: Db,
  database: 'clinic' | 'installation',
  { id, mailId, providerId, type, delivery, isFinal, at }: ReportedMail,
  now: number,
): Promise<void> {
  const statements = [d1.prepare(INSERT_EVENT).bind(id, mailId, type, at, now)];
  if (mailId !== '' && delivery) statements.push(d1.prepare(UPDATE_DELIVERY).bind(mailId, providerId, delivery, at));
  if (mailId !== '' && delivery && database === 'clinic') {
    if (delivery === 'delivered')
      statements.push(...[UPDATE_ARRIVAL, CLEAR_ADDRESS].map((sql) => d1.prepare(sql).bind(mailId, providerId, at)));
    if (isFinal) statements.push(d1.prepare(MARK_ADDRESS).bind(mailId, providerId, delivery, at));
  }
  await d1.batch(statements);
}

/**
 * If the mail service sends no event about an automatic email to a payer for this long, its status is requested once.
 */
const STATUS_CHECK_AFTER_MS = 24 * 3_600_000;

/** True if events for this email are stored, because they may arrive before the service's response. */
const HAS_EVENT = '(delivery IS NOT NULL AND provider_id IS coalesce(?2, provider_id))';

const MARK_ACCEPTED = `UPDATE outbox SET state = 'sent', sent_at = ?3, provider_id = coalesce(?2, provider_id),
  delivery = iif(${HAS_EVENT}, delivery, 'accepted'), delivery_at = iif(${HAS_EVENT}, delivery_at, ?3),
  ask_at = iif(kind IN ('receipt', 'debit-returned') AND ?2 IS NOT NULL AND NOT ${HAS_EVENT}, ?3 + ${STATUS_CHECK_AFTER_MS}, NULL)
WHERE id = ?1`;

/**
 * Record that the mail service accepted an email. `providerId`: its id there; null if it was accepted earlier and the
 * id is unknown.
 */
export async function closeClaimedMail(
  { $client: d1 }: Db,
  id: string,
  providerId: string | null,
  at: number,
): Promise<void> {
  await d1.prepare(MARK_ACCEPTED).bind(id, providerId, at).run();
}

/** Emails whose status must be requested, because no event arrived in time. */
export async function listMailsToCheck(
  { $client: d1 }: Db,
  now: number,
  limit: number,
): Promise<{ id: string; providerId: string }[]> {
  const { results } = await d1
    .prepare(
      `SELECT id, provider_id AS providerId FROM outbox INDEXED BY outbox_to_ask
WHERE ask_at IS NOT NULL AND ask_at <= ?1 ORDER BY ask_at LIMIT ?2`,
    )
    .bind(now, limit)
    .all<{ id: string; providerId: string }>();
  return results;
}

/** Claim the only status request for an email. False if it was already claimed. */
export async function claimMailToCheck({ $client: d1 }: Db, id: string): Promise<boolean> {
  const { meta } = await d1
    .prepare('UPDATE outbox SET ask_at = NULL WHERE id = ?1 AND ask_at IS NOT NULL')
    .bind(id)
    .run();
  return meta.changes > 0;
}
