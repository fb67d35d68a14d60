import type { Db } from '../db.ts';
import { jsonParts } from '../json-parts.ts';
import { manifestOf } from './erase.ts';
import { columnsIn, type ExportRow } from './export.ts';

/** What names the erased clinics of an account, beside their evidence. */
const indexOf = (account: number): string => `kept/of-${account}.json`;

type Index = { clinics: number[] };

/** The numbers of an account's clinics that were erased, the first one first. */
export const erasedClinics = async (bucket: R2Bucket, account: number): Promise<number[]> =>
  (await (await bucket.get(indexOf(account)))?.json<Index>())?.clinics ?? [];

/** Note under the account that this clinic's evidence is kept. */
export async function noteErased(bucket: R2Bucket, account: number, clinic: number): Promise<void> {
  const clinics = [...new Set([...(await erasedClinics(bucket, account)), clinic])];
  await bucket.put(indexOf(account), JSON.stringify({ clinics } satisfies Index));
}

type Manifest = { files: { key: string; table: string }[] };

/** The rows of some tables in the evidence under a prefix, one file after the other, in the order of the tables. */
export async function* keptRows(
  bucket: R2Bucket,
  prefix: string,
  tables: readonly string[],
): AsyncGenerator<{ table: string; rows: ExportRow[] }> {
  const { files } = (await (await bucket.get(manifestOf(prefix)))?.json<Manifest>()) ?? { files: [] };
  for (const table of tables)
    for (const { key } of files.filter((file) => file.table === table)) {
      const text = await (await bucket.get(key))?.text();
      if (text === undefined) throw new Error(`${key} is not there, which its manifest names`);
      yield { table, rows: text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as ExportRow] : [])) };
    }
}

/** Add rows that are not there yet, as triggers book them. A column that the table has no more is left out. */
export async function addKept(db: Db, table: string, rows: ExportRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const known = await columnsIn(db, table);
  const names = Object.keys(first).filter((name) => known.includes(name));
  const sql = `INSERT OR IGNORE INTO ${table} (${names.join(', ')})
SELECT ${names.map((name) => `value ->> '${name}'`).join(', ')} FROM json_each(?1)`;
  for (const json of jsonParts(rows)) await db.$client.prepare(sql).bind(json).run();
}

/** Let the invoices of an account stand as the payments say that were put back. */
export async function labelInvoices({ $client }: Db, accountId: number): Promise<void> {
  await $client
    .prepare(
      `UPDATE invoices SET local_status = b.label, given_back_cents = b.given_back_cents, collection_base_cents = b.base_cents,
        collection_paid_cents = iif(b.base_cents IS NULL, 0, b.kept_cents)
      FROM invoice_labels b WHERE b.account_id = ?1 AND invoices.rowid = b.doc`,
    )
    .bind(accountId)
    .run();
}
