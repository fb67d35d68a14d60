import type { SkipReason } from '#shared/contracts/payments/pay-links';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { PAYMENT_REQUEST_KINDS } from '../schema/mail.ts';

/** Payment links by email for many invoices. Times in UTC ms. */
export type NewMailing = { id: string; accountId: number; requestedBy: number; invoiceIds: string[]; startsAt: number };
export type DueMailing = { id: string; accountId: number; requestedBy: number; startsAt: number };

/** The id of a mailing's email for an invoice, the same for each attempt. */
export const mailIdOf = (mailingId: string, invoiceId: string) => `mailing-${mailingId}-${invoiceId}`;

const HAS_MAIL = `EXISTS (SELECT 1 FROM outbox o
  WHERE o.id = 'mailing-' || mailing_invoices.mailing_id || '-' || mailing_invoices.invoice_id)`;

/**
 * Start a mailing. A repeat with the same id changes nothing; `busy`: another mailing of the account is under way. Each
 * statement checks that the previous one has written something.
 */
export async function startMailing(
  { $client }: Db,
  { id, accountId, requestedBy: requesterId, invoiceIds, startsAt }: NewMailing,
  now: number,
  event: TextEvent,
): Promise<'begun' | 'busy'> {
  const results = await $client.batch([
    $client
      .prepare(
        `INSERT INTO mailings (id, account_id, requested_by, requested_at, starts_at, next_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
          ON CONFLICT DO NOTHING`,
      )
      .bind(id, accountId, requesterId, now, startsAt),
    $client
      .prepare(
        `INSERT INTO mailing_invoices (mailing_id, invoice_id, account_id, n, at)
          SELECT ?1, value, ?2, key, ?4 FROM json_each(?3) WHERE changes() > 0
          ON CONFLICT (mailing_id, invoice_id) DO NOTHING`,
      )
      .bind(id, accountId, JSON.stringify(invoiceIds), now),
    eventStatement($client, event),
    $client.prepare('SELECT 1 FROM mailings WHERE id = ?1 AND account_id = ?2').bind(id, accountId),
  ]);
  return results[3]?.results.length === 1 ? 'begun' : 'busy';
}

/** Claim the mailings that are due; another run may claim them from `until` on. */
export async function claimMailings({ $client }: Db, now: number, until: number): Promise<DueMailing[]> {
  const { results } = await $client
    .prepare(
      `UPDATE mailings INDEXED BY mailings_under_way SET next_at = ?2 WHERE next_at IS NOT NULL AND next_at <= ?1
        RETURNING id, account_id AS accountId, requested_by AS requestedBy, starts_at AS startsAt`,
    )
    .bind(now, until)
    .all<DueMailing>();
  return results;
}

export async function listNextWaiting({ $client }: Db, mailingId: string, limit: number): Promise<string[]> {
  const { results } = await $client
    .prepare(
      `SELECT invoice_id AS id FROM mailing_invoices INDEXED BY mailing_invoices_waiting
        WHERE mailing_id = ?1 AND state = 'waiting' ORDER BY n LIMIT ?2`,
    )
    .bind(mailingId, limit)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Mark an invoice as handed over if its email is in the outbox, or else as skipped for this reason. */
export async function finishInvoice(
  { $client }: Db,
  mailingId: string,
  invoiceId: string,
  reason: SkipReason,
  now: number,
): Promise<void> {
  await $client
    .prepare(
      `UPDATE mailing_invoices SET state = iif(${HAS_MAIL}, 'handed', 'left-out'), why = iif(${HAS_MAIL}, '', ?3), at = ?4
        WHERE mailing_id = ?1 AND invoice_id = ?2 AND state = 'waiting'`,
    )
    .bind(mailingId, invoiceId, reason, now)
    .run();
}

/** Continue the mailing at `at`, or end it if no invoice is waiting. */
export async function continueMailing({ $client }: Db, mailingId: string, at: number): Promise<void> {
  await $client
    .prepare(
      `UPDATE mailings SET next_at = iif(EXISTS (SELECT 1 FROM mailing_invoices INDEXED BY mailing_invoices_waiting
          WHERE mailing_id = ?1 AND state = 'waiting'), ?2, NULL)
        WHERE id = ?1 AND next_at IS NOT NULL`,
    )
    .bind(mailingId, at)
    .run();
}

/** Skips all waiting invoices of a mailing. */
const skipAllWaiting = ({ $client }: Db) =>
  $client.prepare(
    `UPDATE mailing_invoices INDEXED BY mailing_invoices_waiting
      SET state = iif(${HAS_MAIL}, 'handed', 'left-out'), why = iif(${HAS_MAIL}, '', ?2), at = ?3
      WHERE mailing_id = ?1 AND state = 'waiting'
        AND EXISTS (SELECT 1 FROM mailings m WHERE m.id = ?1 AND m.account_id = ?4)`,
  );

/** Stop a mailing of the account; a finished mailing stays unchanged. */
export async function stopMailing(
  db: Db,
  { id, accountId }: { id: string; accountId: number },
  now: number,
  event: TextEvent,
): Promise<void> {
  await db.$client.batch([
    db.$client
      .prepare(
        'UPDATE mailings SET stopped_at = ?3, next_at = NULL WHERE id = ?1 AND account_id = ?2 AND next_at IS NOT NULL',
      )
      .bind(id, accountId, now),
    eventStatement(db.$client, event),
    skipAllWaiting(db).bind(id, 'stopped' satisfies SkipReason, now, accountId),
  ]);
}

/** Abandon a mailing that is too late to be useful. */
export async function abandonMailing(db: Db, { id, accountId }: DueMailing, now: number): Promise<void> {
  await skipAllWaiting(db)
    .bind(id, 'too-late' satisfies SkipReason, now, accountId)
    .run();
}

type MailingRow = {
  id: string;
  requestedAt: number;
  startsAt: number;
  nextAt: number | null;
  stoppedAt: number | null;
};
export type MailingInvoiceRow = {
  id: string;
  number: string;
  currency: string;
  state: 'waiting' | 'handed' | 'left-out';
  why: SkipReason | '';
  at: number;
  mail: 'due' | 'sent' | 'failed' | null;
  sentAt: number | null;
};

/** The newest mailing of an account with all its invoices. Null if there is none. */
export async function findNewestMailing(
  { $client }: Db,
  accountId: number,
): Promise<(MailingRow & { invoices: MailingInvoiceRow[] }) | null> {
  const newest = 'FROM mailings INDEXED BY mailings_asked WHERE account_id = ?1 ORDER BY requested_at DESC LIMIT 1';
  const [mailings, invoices] = await $client.batch<unknown>([
    $client
      .prepare(
        `SELECT id, requested_at AS requestedAt, starts_at AS startsAt, next_at AS nextAt, stopped_at AS stoppedAt ${newest}`,
      )
      .bind(accountId),
    $client
      .prepare(
        `SELECT r.invoice_id AS id, coalesce(i.number, '') AS number, coalesce(i.currency, '') AS currency, r.state, r.why, r.at,
            o.state AS mail, o.sent_at AS sentAt
          FROM mailing_invoices r
          LEFT JOIN outbox o ON o.id = 'mailing-' || r.mailing_id || '-' || r.invoice_id
          LEFT JOIN invoices i ON i.account_id = r.account_id AND i.invoice_id = r.invoice_id
          WHERE r.mailing_id = (SELECT id ${newest}) ORDER BY r.n`,
      )
      .bind(accountId),
  ]);
  const [mailing] = (mailings?.results ?? []) as MailingRow[];
  return mailing ? { ...mailing, invoices: (invoices?.results ?? []) as MailingInvoiceRow[] } : null;
}

/** Reasons in our own data not to send a link by email. */
export type MailObstacles = {
  isMailed: 0 | 1;
  bad: 'bounced' | 'suppressed' | 'complained' | null;
};

/** Only links and reminders that were queued after `sentAfter` (UTC ms) count. */
export async function findMailObstacles(
  { $client }: Db,
  recipient: { accountId: number; invoiceId: string; address: string },
  sentAfter: number,
): Promise<MailObstacles> {
  const row = await $client
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM outbox WHERE account_id = ?1 AND invoice_id = ?2 AND created_at > ?3 AND state <> 'failed'
          AND kind IN ${PAYMENT_REQUEST_KINDS}) AS isMailed,
        (SELECT why FROM mail_addresses WHERE account_id = ?1 AND address = ?4) AS bad`,
    )
    .bind(recipient.accountId, recipient.invoiceId, sentAfter, recipient.address.toLowerCase())
    .first<MailObstacles>();
  if (!row) throw new Error('a question without a table has one row');
  return row;
}
