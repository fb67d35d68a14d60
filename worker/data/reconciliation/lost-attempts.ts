import { type Attempt, invoices } from '#worker/data/schema/schema';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';

/** The invoice to which one of our charges may belong. */
export type ChargeOwner = typeof invoices.$inferSelect;

/**
 * Finds invoices by the CRM's id, or by the number used in keys of earlier versions. CROSS JOIN makes SQLite start with
 * the few names.
 */
const SELECT_OWNERS = `SELECT ${columnsOf(invoices, 'i', 'i_')}
    FROM json_each(?2) asked CROSS JOIN invoices i INDEXED BY invoices_by_number
    ON i.account_id = ?1 AND i.number = asked.value COLLATE NOCASE AND i.deleted_at IS NULL
  UNION SELECT ${columnsOf(invoices, 'i', 'i_')} FROM json_each(?2) asked CROSS JOIN invoices i
    ON i.account_id = ?1 AND i.invoice_id = asked.value`;

export type ChargeOwners = { owners: ChargeOwner[]; channels: Map<string, Attempt['channel']>; timeZone: string };

/** The invoices with these numbers or ids, and the account data that an attempt needs. */
export async function findChargeOwners({ $client }: Db, accountId: number, names: string[]): Promise<ChargeOwners> {
  const [matches, terminals, accounts] = await $client.batch<RawRow>([
    $client.prepare(SELECT_OWNERS).bind(accountId, JSON.stringify([...new Set(names)])),
    $client.prepare('SELECT terminal_id, channel FROM terminals WHERE account_id = ?').bind(accountId),
    $client.prepare('SELECT time_zone FROM accounts WHERE account_id = ?').bind(accountId),
  ]);
  return {
    owners: (matches?.results ?? []).map((raw) => rowOf(invoices, raw, 'i_')),
    channels: new Map(
      (terminals?.results ?? []).map(({ terminal_id, channel }) => [
        String(terminal_id),
        channel === 'counter' ? 'terminal' : 'link',
      ]),
    ),
    timeZone: String(accounts?.results[0]?.time_zone ?? 'UTC'),
  };
}

export type FoundAttempt = Pick<
  Attempt,
  | 'id'
  | 'accountId'
  | 'invoiceId'
  | 'collection'
  | 'part'
  | 'terminalId'
  | 'channel'
  | 'method'
  | 'amountCents'
  | 'currency'
  | 'invoiceNumber'
  | 'dedupeKey'
  | 'receiptId'
  | 'receiptTo'
  | 'createdAt'
  | 'timeZone'
  | 'day'
> & { payer: string };

/** `needs_human_from` stays empty, so that such an attempt never leaves that state without a person. */
const INSERT_ATTEMPT = `INSERT INTO payment_attempts (id, account_id, invoice_id, collection, part, terminal_id, channel, method,
    amount_cents, currency, invoice_number, dedupe_key, receipt_id, receipt_to, payer_last_name, state, message,
    hold_until, created_at, time_zone, day)
  SELECT value->>'id', value->>'accountId', value->>'invoiceId', value->>'collection', value->>'part',
    value->>'terminalId', value->>'channel', value->>'method', value->>'amountCents', value->>'currency', value->>'invoiceNumber',
    value->>'dedupeKey', value->>'receiptId', value->>'receiptTo', value->>'payer', 'needs_human', 'our record was lost',
    value->>'createdAt', value->>'createdAt', value->>'timeZone', value->>'day'
  FROM (SELECT ? AS value) WHERE true ON CONFLICT DO NOTHING RETURNING id`;

/** The maximum number of attempts per transaction. */
const BATCH_SIZE = 50;

/**
 * Insert attempts that our data lacks, each with its event; existing attempts stay unchanged. Returns the new ids.
 */
export async function insertFoundAttempts(
  { $client }: Db,
  lostAttempts: { attempt: FoundAttempt; event: TextEvent }[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < lostAttempts.length; from += BATCH_SIZE) {
    const results = await $client.batch<{ id?: string }>(
      lostAttempts
        .slice(from, from + BATCH_SIZE)
        .flatMap(({ attempt, event }) => [
          $client.prepare(INSERT_ATTEMPT).bind(JSON.stringify(attempt)),
          eventStatement($client, event),
        ]),
    );
    ids.push(...results.flatMap(({ results }) => results.flatMap(({ id }) => id ?? [])));
  }
  return ids;
}
