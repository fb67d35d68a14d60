import { eventStatements, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

export type NewLink = { payId: string; invoiceId: string; endsAt: number };
export type LiveLink = { payId: string; endsAt: number };

/**
 * Insert the given link of each invoice that has no live one, in one transaction. Answers the live link of every
 * invoice; calls at the same moment get the same links.
 */
export async function insertMissingLinks(
  { $client: d1 }: Db,
  accountId: number,
  links: NewLink[],
  now: number,
  events: { issued: NewEvent; ended: NewEvent },
): Promise<Map<string, LiveLink>> {
  const json = JSON.stringify(links);
  const named = `invoice_id IN (SELECT value ->> 'invoiceId' FROM json_each(?2))`;
  const [, , , , live] = await d1.batch<{ invoice_id: string; pay_id: string; ends_at: number }>([
    // Before they are ended, since afterwards nothing tells them from older ones.
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
        `UPDATE pay_links SET state = 'ended' WHERE account_id = ?1 AND state = 'live' AND ${named} AND ends_at <= ?3`,
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
        `SELECT invoice_id, pay_id, ends_at FROM pay_links WHERE account_id = ?1 AND state = 'live' AND ${named}`,
      )
      .bind(accountId, json),
  ]);
  return new Map(
    (live?.results ?? []).map(({ invoice_id, pay_id, ends_at }) => [invoice_id, { payId: pay_id, endsAt: ends_at }]),
  );
}
