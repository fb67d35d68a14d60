import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

type Asked = { id: string; accountId: number; invoiceId: string; when: string };

/** Owe somebody of the staff a reminder at their own address, unless they got one within `pauseMs`. */
export async function oweReminderTest(
  { $client }: Db,
  { accountId, userId }: { accountId: number; userId: number },
  { id, invoiceId, when }: Asked,
  { at, pauseMs }: { at: number; pauseMs: number },
  event: TextEvent,
): Promise<{ kind: 'owed'; to: string } | { kind: 'no-own-address' | 'too-many' }> {
  const [person, owed] = await $client.batch<{ email: string }>([
    $client.prepare('SELECT email FROM users WHERE account_id = ?1 AND user_id = ?2').bind(accountId, userId),
    $client
      .prepare(
        `INSERT INTO outbox (id, kind, recipient, account_id, invoice_id, details, next_try_at, created_at)
          SELECT ?3, 'reminder-test', u.email, ?1, ?4, ?5, ?6, ?6 FROM users u WHERE u.account_id = ?1 AND u.user_id = ?2
            AND u.email <> '' AND NOT EXISTS (SELECT 1 FROM outbox WHERE account_id = ?1 AND invoice_id = ?4
              AND kind = 'reminder-test' AND created_at > ?7) RETURNING recipient AS email`,
      )
      .bind(accountId, userId, id, invoiceId, JSON.stringify({ when }), at, at - pauseMs),
    eventStatement($client, event),
  ]);
  const [row] = owed?.results ?? [];
  if (row) return { kind: 'owed', to: row.email };
  return { kind: person?.results[0]?.email ? 'too-many' : 'no-own-address' };
}
