import type { CrmCompany, CrmContact, CrmInvoiceEntry, CrmKind } from '#worker/vendors/hubspot/port';
import type { Db } from '../db.ts';
import { jsonParts } from '../sql.ts';

/**
 * The synced records of an account. A page is passed as JSON, because a statement takes at most 100 bound values. An
 * invoice's local columns (local status, collection) are not written here.
 */

const TABLES = {
  companies: { table: 'companies', id: 'company_id' },
  contacts: { table: 'contacts', id: 'contact_id' },
  invoices: { table: 'invoices', id: 'invoice_id' },
} as const satisfies Record<CrmKind, object>;

/**
 * Upsert rows from the JSON ?2 for account ?1, read at ?3 in pass ?4. Skips records older than the stored row, by the
 * CRM's modification time, then by the time read. Also skips unchanged records, because an update writes all indexes of
 * the row.
 */
function upsertSql(kind: CrmKind, columns: Record<string, string>, joins = ''): string {
  const { table, id } = TABLES[kind];
  const names = Object.keys(columns);
  const columnsFrom = (row: string) => names.map((name) => `${row}.${name}`).join(', ');
  return `INSERT INTO ${table} (account_id, ${id}, ${names.join(', ')}, read_at, seen_pass)
    SELECT ?1, j.value ->> 'id', ${Object.values(columns).join(', ')}, ?3, ?4
    FROM json_each(?2) AS j ${joins} WHERE true
    ON CONFLICT (account_id, ${id}) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')},
      read_at = excluded.read_at, seen_pass = max(${table}.seen_pass, excluded.seen_pass), deleted_at = NULL
    WHERE (excluded.modified_at, excluded.read_at) >= (${table}.modified_at, ${table}.read_at)
      AND (${table}.deleted_at IS NOT NULL OR (${columnsFrom('excluded')}) IS NOT (${columnsFrom(table)}))`;
}

/** SQL for unchanged records in the same JSON, which saves only the time and the pass of the read. */
function markReadSql(kind: CrmKind): string {
  const { table, id } = TABLES[kind];
  return `UPDATE ${table} SET read_at = max(read_at, ?3), seen_pass = max(seen_pass, ?4)
    WHERE account_id = ?1 AND deleted_at IS NULL AND (read_at < ?3 OR seen_pass < ?4)
      AND (${id}, modified_at) IN (SELECT value ->> 'id', value ->> 'modifiedAt' FROM json_each(?2))`;
}

const jsonFields = (...pairs: [column: string, field: string][]) =>
  Object.fromEntries(pairs.map(([column, field]) => [column, `j.value ->> '${field}'`]));

const addressColumns = jsonFields(['address', 'address'], ['city', 'city'], ['state', 'state'], ['zip', 'zip']);

/** A field of the company's address, or else of the address on the invoice. */
const addressOf = (part: string) => `coalesce(nullif(f.${part}, ''), j.value ->> '$.recipient.${part}')`;

const LINKED_COMPANY = `LEFT JOIN companies AS f ON f.account_id = ?1 AND f.company_id = j.value ->> 'companyId'`;

const UPSERTS: Record<CrmKind, string> = {
  companies: upsertSql('companies', {
    ...jsonFields(['name', 'name'], ['modified_at', 'modifiedAt']),
    ...addressColumns,
  }),
  contacts: upsertSql(
    'contacts',
    {
      ...jsonFields(
        ['first_name', 'firstName'],
        ['last_name', 'lastName'],
        ['email', 'email'],
        ['phone', 'phone'],
        ['company_id', 'companyId'],
        ['modified_at', 'modifiedAt'],
      ),
      company: `coalesce(nullif(j.value ->> 'company', ''), f.name, '')`,
      ...addressColumns,
    },
    LINKED_COMPANY,
  ),
  invoices: upsertSql(
    'invoices',
    {
      ...jsonFields(
        ['number', 'number'],
        ['status', 'status'],
        ['currency', 'currency'],
        ['balance_cents', 'balanceCents'],
        ['billed_cents', 'billedCents'],
        ['due_date', 'dueDate'],
        ['invoice_date', 'invoiceDate'],
        ['contact_id', 'contactId'],
        ['company_id', 'companyId'],
        ['created_at', 'createdAt'],
        ['modified_at', 'modifiedAt'],
        ['paid_at', 'paidAt'],
      ),
      contact_first_name: `coalesce(p.first_name, '')`,
      contact_last_name: `coalesce(p.last_name, '')`,
      contact_email: `coalesce(p.email, '')`,
      company_name: `coalesce(f.name, '')`,
      company_address: addressOf('address'),
      company_city: addressOf('city'),
      company_state: addressOf('state'),
      company_zip: addressOf('zip'),
    },
    `LEFT JOIN contacts AS p ON p.account_id = ?1 AND p.contact_id = j.value ->> 'contactId'
     ${LINKED_COMPANY}`,
  ),
};

/**
 * Invoices store the names of their contact and company, so a changed name is copied to them. The statement first finds
 * the invoices by id, because a join with the JSON would compare every invoice of the account with every id.
 */
const RENAME_CONTACTS = `UPDATE invoices INDEXED BY invoices_by_contact SET
    contact_first_name = p.first_name, contact_last_name = p.last_name, contact_email = p.email
  FROM contacts AS p
  WHERE p.account_id = ?1 AND p.contact_id = invoices.contact_id
    AND invoices.account_id = ?1 AND invoices.deleted_at IS NULL
    AND invoices.contact_id IN (SELECT value ->> 'id' FROM json_each(?2))
    AND (contact_first_name, contact_last_name, contact_email) IS NOT (p.first_name, p.last_name, p.email)`;

const addressPart = (part: string) => `coalesce(nullif(f.${part}, ''), company_${part})`;
const RENAME_COMPANIES = `UPDATE invoices INDEXED BY invoices_by_company_id SET
    company_name = f.name, company_address = ${addressPart('address')}, company_city = ${addressPart('city')},
    company_state = ${addressPart('state')}, company_zip = ${addressPart('zip')}
  FROM companies AS f
  WHERE f.account_id = ?1 AND f.company_id = invoices.company_id
    AND invoices.account_id = ?1 AND invoices.deleted_at IS NULL
    AND invoices.company_id IN (SELECT value ->> 'id' FROM json_each(?2))
    AND (company_name, company_address, company_city, company_state, company_zip)
      IS NOT (f.name, ${addressPart('address')}, ${addressPart('city')}, ${addressPart('state')}, ${addressPart('zip')})`;

/** A contact without a company name of its own stores the linked company's name, so a changed name is copied to it. */
const RENAME_EMPLOYERS = `UPDATE contacts INDEXED BY contacts_by_company_id SET company = f.name
  FROM companies AS f
  WHERE f.account_id = ?1 AND f.company_id = contacts.company_id
    AND contacts.account_id = ?1 AND contacts.company_id <> ''
    AND contacts.company_id IN (SELECT value FROM json_each(?2))
    AND contacts.company <> f.name`;

const MARK_READ: Record<CrmKind, string> = {
  companies: markReadSql('companies'),
  contacts: markReadSql('contacts'),
  invoices: markReadSql('invoices'),
};

/** The result of a sync step, with the records to store and the ids that the CRM no longer has. */
export type SyncedRecords = {
  companies: CrmCompany[];
  contacts: CrmContact[];
  invoices: CrmInvoiceEntry[];
  gone: { kind: CrmKind; ids: string[] } | null;
  /** Ids that a full scan requested one by one, found or not. */
  met: { kind: CrmKind; ids: string[] } | null;
  /** The time at which the request to the CRM was sent (UTC ms); no record here is older. */
  readAt: number;
};

export const noRecords = (readAt: number): SyncedRecords => ({
  companies: [],
  contacts: [],
  invoices: [],
  gone: null,
  met: null,
  readAt,
});

/** The number of records written at once, while the clinic's payers and lists wait. */
const PIECE_SIZE = 50;

const inChunks = <T>(all: readonly T[] = []): T[][] =>
  Array.from({ length: Math.ceil(all.length / PIECE_SIZE) }, (_, index) =>
    all.slice(index * PIECE_SIZE, (index + 1) * PIECE_SIZE),
  );

/** Split a step's records into pieces, at least one. Each piece comes after the pieces from which it copies names. */
export function splitIntoPieces(synced: SyncedRecords): SyncedRecords[] {
  const { companies, contacts, invoices, gone, met, readAt } = synced;
  const all = [companies, contacts, invoices, gone?.ids ?? [], met?.ids ?? []];
  if (all.reduce((sum, { length }) => sum + length, 0) <= PIECE_SIZE) return [synced];
  const pieces: Partial<SyncedRecords>[] = [
    ...inChunks(companies).map((chunk) => ({ companies: chunk })),
    ...inChunks(contacts).map((chunk) => ({ contacts: chunk })),
    ...inChunks(invoices).map((chunk) => ({ invoices: chunk })),
    ...inChunks(gone?.ids).map((ids) => ({ gone: gone && { ...gone, ids } })),
    ...inChunks(met?.ids).map((ids) => ({ met: met && { ...met, ids } })),
  ];
  return pieces.map((piece) => ({ ...noRecords(readAt), ...piece }));
}

/** Write a piece other than the step's last one. A run that dies afterwards reads these records again. */
export async function savePiece(
  db: Db,
  accountId: number,
  piece: SyncedRecords,
  passes: Record<CrmKind, number>,
): Promise<void> {
  await db.$client.batch(syncWrites(db, accountId, piece, passes));
}

/** The writes of a step, for the transaction that also saves its cursor. */
export function syncWrites(
  { $client }: Db,
  accountId: number,
  synced: SyncedRecords,
  passes: Record<CrmKind, number>,
): D1PreparedStatement[] {
  const { companies, contacts, invoices, gone, met, readAt } = synced;
  const writes: D1PreparedStatement[] = [];
  const upsert = (kind: CrmKind, records: object[], rename?: string) => {
    for (const json of jsonParts(records)) {
      for (const sql of [UPSERTS[kind], MARK_READ[kind]])
        writes.push($client.prepare(sql).bind(accountId, json, readAt, passes[kind]));
      if (rename) writes.push($client.prepare(rename).bind(accountId, json));
    }
  };
  upsert('companies', companies, RENAME_COMPANIES);
  if (companies.length > 0) {
    const ids = JSON.stringify(companies.map(({ id }) => id));
    writes.push($client.prepare(RENAME_EMPLOYERS).bind(accountId, ids));
  }
  upsert('contacts', contacts, RENAME_CONTACTS);
  upsert('invoices', invoices);
  if (gone && gone.ids.length > 0) {
    const { table, id } = TABLES[gone.kind];
    // A record that was read after this request was sent still exists.
    const sql = `UPDATE ${table} SET deleted_at = ?3 WHERE account_id = ?1 AND ${id} IN (SELECT value FROM json_each(?2))
      AND deleted_at IS NULL AND read_at <= ?3`;
    writes.push($client.prepare(sql).bind(accountId, JSON.stringify(gone.ids), readAt));
  }
  if (met) {
    const { table, id } = TABLES[met.kind];
    const sql = `UPDATE ${table} SET seen_pass = ?3 WHERE account_id = ?1 AND ${id} IN (SELECT value FROM json_each(?2))`;
    writes.push($client.prepare(sql).bind(accountId, JSON.stringify(met.ids), passes[met.kind]));
  }
  return writes;
}

const idsFrom = (results: { id: string }[]) => results.map(({ id }) => id);

/** Ids of changed records that are missing or outdated in our copy. */
export async function listOutdated(
  { $client }: Db,
  accountId: number,
  kind: CrmKind,
  changed: { id: string; modifiedAt: number }[],
): Promise<string[]> {
  const { table, id } = TABLES[kind];
  const sql = `SELECT DISTINCT j.value ->> 'id' AS id FROM json_each(?2) AS j WHERE NOT EXISTS (SELECT 1 FROM ${table} AS t
    WHERE t.account_id = ?1 AND t.${id} = j.value ->> 'id' AND t.modified_at >= j.value ->> 'modifiedAt' AND t.deleted_at IS NULL)`;
  const { results } = await $client.prepare(sql).bind(accountId, JSON.stringify(changed)).all<{ id: string }>();
  return idsFrom(results);
}

/** Ids of linked records that are not stored yet; '' means no link. */
export async function listMissingLinks(
  { $client }: Db,
  accountId: number,
  kind: 'companies' | 'contacts',
  linked: string[],
): Promise<string[]> {
  const ids = [...new Set(linked)].filter(Boolean);
  if (ids.length === 0) return [];
  const { table, id } = TABLES[kind];
  const sql = `SELECT j.value AS id FROM json_each(?2) AS j
    WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE account_id = ?1 AND ${id} = j.value)`;
  const { results } = await $client.prepare(sql).bind(accountId, JSON.stringify(ids)).all<{ id: string }>();
  return idsFrom(results);
}

/** Ids that were on no page of a full scan and were not read since it began. */
export async function listUnseen(
  { $client }: Db,
  accountId: number,
  kind: CrmKind,
  { pass, beganAt: scanStartedAt }: { pass: number; beganAt: number },
  limit: number,
): Promise<string[]> {
  const { table, id } = TABLES[kind];
  const sql = `SELECT ${id} AS id FROM ${table}
    WHERE account_id = ?1 AND deleted_at IS NULL AND seen_pass < ?2 AND read_at < ?3 LIMIT ?4`;
  const { results } = await $client.prepare(sql).bind(accountId, pass, scanStartedAt, limit).all<{ id: string }>();
  return idsFrom(results);
}
