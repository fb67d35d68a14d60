import { type Attempt, invoices } from '#worker/data/schema/schema';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';
import { jsonParts } from '../json-parts.ts';

/** An invoice that a charge of ours may be of, with the dedupe key of the collection that is under way. */
export type Owner = typeof invoices.$inferSelect & { dedupeKey: string };

/** By number as it was sent, or by id where the invoice has no number. */
const OWNERS = `SELECT ${columnsOf(invoices, 'i', 'i_')}
    FROM json_each(?2) asked JOIN invoices i INDEXED BY invoices_by_number
    ON i.hub_id = ?1 AND i.number = asked.value COLLATE NOCASE AND i.gone_at IS NULL
  UNION SELECT ${columnsOf(invoices, 'i', 'i_')} FROM json_each(?2) asked JOIN invoices i
    ON i.hub_id = ?1 AND i.invoice_id = asked.value AND i.number = ''`;

export type Owners = { owners: Owner[]; channels: Map<string, Attempt['channel']>; timeZone: string };

/** The invoices that bear these numbers (or ids), and what an attempt has to know of the account. */
export async function findOwners({ $client }: Db, accountId: number, names: string[]): Promise<Owners> {
  const [found, terminals, accounts] = await $client.batch<RawRow>([
    $client.prepare(OWNERS).bind(accountId, JSON.stringify([...new Set(names)])),
    $client.prepare('SELECT terminal_id, channel FROM terminals WHERE hub_id = ?').bind(accountId),
    $client.prepare('SELECT time_zone FROM hubs WHERE hub_id = ?').bind(accountId),
  ]);
  return {
    owners: (found?.results ?? []).map((raw) => {
      const invoice = rowOf(invoices, raw, 'i_');
      return { ...invoice, dedupeKey: `${invoice.number || invoice.invoiceId}-${invoice.collection}` };
    }),
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

/** `needs_human_from` stays empty: such an attempt never leaves that state without a person. */
const INSERT = `INSERT INTO payment_attempts (id, hub_id, invoice_id, collection, terminal_id, channel, method,
    amount_cents, currency, invoice_number, dedupe_key, receipt_id, receipt_to, payer_last_name, state, message,
    hold_until, created_at, time_zone, day)
  SELECT value->>'id', value->>'accountId', value->>'invoiceId', value->>'collection', value->>'terminalId',
    value->>'channel', value->>'method', value->>'amountCents', value->>'currency', value->>'invoiceNumber',
    value->>'dedupeKey', value->>'receiptId', value->>'receiptTo', value->>'payer', 'needs_human', 'our record was lost',
    value->>'createdAt', value->>'createdAt', value->>'timeZone', value->>'day'
  FROM json_each(?) WHERE true ON CONFLICT DO NOTHING RETURNING id`;

/** Write attempts that our books have lost; those that they have are left as they are. Answers the ids that were new. */
export async function insertFoundAttempts({ $client }: Db, found: FoundAttempt[]): Promise<string[]> {
  const ids: string[] = [];
  for (const rows of jsonParts(found)) {
    const { results } = await $client.prepare(INSERT).bind(rows).all<{ id: string }>();
    ids.push(...results.map(({ id }) => id));
  }
  return ids;
}
