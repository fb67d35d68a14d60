import type { Db } from '../db.ts';

/** Rows of a look. */
export const FILES = 25;

/** Tables whose rows name files, each with a query for the next rows behind a place; `keys` is JSON. */
const CLINIC = {
  payment_attempts: `SELECT rowid AS place, json_array(signature_key) AS keys FROM payment_attempts
WHERE rowid > ?1 AND signature_key IS NOT NULL ORDER BY rowid LIMIT ${FILES}`,
  // The row stays where the picture is replaced.
  invoice_signatures: `SELECT saved_at AS place, json_array(image_key) AS keys
FROM invoice_signatures INDEXED BY invoice_signatures_saved WHERE saved_at > ?1 ORDER BY saved_at LIMIT ${FILES}`,
};
const INSTALLATION = {
  media: `SELECT rowid AS place, json_insert((SELECT json_group_array('media/' || (value ->> 'key')) FROM json_each(variants)),
  '$[#]', 'media/' || key) AS keys FROM media WHERE rowid > ?1 ORDER BY rowid LIMIT ${FILES}`,
};

export type NamedFiles = { place: number; keys: (string | null)[] };

export const filesTables = (from: 'clinic' | 'installation'): Record<string, string> =>
  from === 'clinic' ? CLINIC : INSTALLATION;

/** The files that the next rows of a table name. */
export async function nextFiles({ $client }: Db, query: string, after: number): Promise<NamedFiles[]> {
  const { results } = await $client.prepare(query).bind(after).all<{ place: number; keys: string }>();
  return results.map(({ place, keys }) => ({ place, keys: JSON.parse(keys) as (string | null)[] }));
}
