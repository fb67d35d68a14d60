import { eq } from 'drizzle-orm';
import { type ClinicRow, clinics } from '#worker/data/schema/directory';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';
import { joined, prepare, type RawSql, raw, rawSql } from '../sql.ts';

const t = clinics;

/** The number of an account's clinic; undefined if it has none, or if it was erased. */
export async function findClinic(installation: Db, accountId: number): Promise<number | undefined> {
  const [row] = await installation.select({ number: t.number }).from(t).where(eq(t.accountId, accountId));
  return row?.number;
}

/**
 * When a clinic was founded (UTC ms), from the directory, so that write access to its own database cannot change it; 0
 * if there is none.
 */
export async function foundedAt(installation: Db, clinic: number): Promise<number> {
  const [row] = await installation.select({ at: t.foundedAt }).from(t).where(eq(t.number, clinic));
  return row?.at ?? 0;
}

/** A conflicting INSERT would use up a number. */
const ADD = `INSERT INTO clinics (account, founded_at, heard_at, region)
SELECT ?1, ?2, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM clinics WHERE account = ?1)`;

/**
 * The number of an account's clinic, which is created if there is none, in one trip. `now`: UTC ms; `region`: the
 * location of its object, empty for any.
 */
export async function addClinic({ $client }: Db, accountId: number, now: number, region = ''): Promise<number> {
  const [, found] = await $client.batch<{ number: number }>([
    $client.prepare(ADD).bind(accountId, now, region),
    $client.prepare('SELECT number FROM clinics WHERE account = ?1').bind(accountId),
  ]);
  const [row] = found?.results ?? [];
  if (!row) throw new Error('the clinic that was added is not there');
  return row.number;
}

/** Filters for clinics; each is a condition on the directory's row. */
export type ClinicFilter = 'all' | 'trouble' | 'waiting' | 'stuck' | 'failing' | 'silent' | 'behind' | 'erased';

/** `silentFrom`: a clinic without a report since then (UTC ms) is silent. */
export type ClinicsAsked = { words: string; filter: ClinicFilter; page: number; size: number; silentFrom: number };

const NEWEST = rawSql`(SELECT max(schema) FROM clinics)`;

function conditionOf(filter: ClinicFilter, silentFrom: number): RawSql {
  const waiting = rawSql`c.needs_human > 0`;
  const stuck = rawSql`c.stuck_since IS NOT NULL`;
  const failing = rawSql`c.failing_since IS NOT NULL`;
  // A clinic that is being restored has no alarm yet.
  const silent = rawSql`c.account IS NOT NULL AND c.heard_at < ${silentFrom}`;
  switch (filter) {
    case 'all':
      return rawSql`c.erased_at IS NULL`;
    case 'erased':
      return rawSql`c.erased_at IS NOT NULL`;
    case 'trouble':
      return rawSql`c.erased_at IS NULL AND (${waiting} OR ${stuck} OR ${failing} OR (${silent}))`;
    case 'waiting':
      return rawSql`c.erased_at IS NULL AND ${waiting}`;
    case 'stuck':
      return rawSql`c.erased_at IS NULL AND ${stuck}`;
    case 'failing':
      return rawSql`c.erased_at IS NULL AND ${failing}`;
    case 'silent':
      return rawSql`c.erased_at IS NULL AND ${silent}`;
    case 'behind':
      return rawSql`c.erased_at IS NULL AND c.schema < ${NEWEST}`;
  }
}

/** Matches parts of the name, or prefixes of the clinic's number or of the CRM's account id. */
function matching(words: string): RawSql {
  const any = `%${words.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const start = any.slice(1);
  return rawSql`(c.name LIKE ${any} ESCAPE '\\' OR c.account LIKE ${start} ESCAPE '\\' OR c.number LIKE ${start} ESCAPE '\\')`;
}

export type ClinicsPage = { rows: ClinicRow[]; total: number; newestSchema: number };

/**
 * A page of the directory, clinics in trouble first. Reads the whole directory, one short row per clinic; only
 * operators request it.
 */
export async function pageOfClinics({ $client: d1 }: Db, asked: ClinicsAsked): Promise<ClinicsPage> {
  const { words, filter, page, size, silentFrom } = asked;
  const where = [conditionOf(filter, silentFrom), ...(words ? [matching(words)] : [])];
  const from = rawSql`FROM clinics c WHERE ${joined(where, ' AND ')}`;
  const [rows, totals] = await d1.batch<RawRow>([
    prepare(
      d1,
      rawSql`SELECT ${raw(columnsOf(clinics, 'c', ''))} ${from}
        ORDER BY (c.erased_at IS NULL AND ${conditionOf('trouble', silentFrom)}) DESC, c.name COLLATE NOCASE, c.number
        LIMIT ${size} OFFSET ${(page - 1) * size}`,
    ),
    prepare(d1, rawSql`SELECT count(*) AS total, coalesce(${NEWEST}, 0) AS newest ${from}`),
  ]);
  const facts = totals?.results[0];
  return {
    rows: (rows?.results ?? []).map((row) => rowOf(clinics, row, '')),
    total: Number(facts?.total ?? 0),
    newestSchema: Number(facts?.newest ?? 0),
  };
}

export const findClinicRow = async (db: Db, number: number): Promise<ClinicRow | undefined> =>
  (await db.select().from(clinics).where(eq(clinics.number, number)))[0];

/** The newest schema version of any clinic. */
export const newestSchemaOf = async ({ $client }: Db): Promise<number> =>
  (await $client.prepare('SELECT coalesce(max(schema), 0) AS newest FROM clinics').first<number>('newest')) ?? 0;

/** Totals of the directory: the number of clinics, and of those with each kind of problem. */
export type DirectorySums = {
  clinics: number;
  waiting: number;
  needsHuman: number;
  stuck: number;
  failing: number;
  silent: number;
  behind: number;
  bytes: number;
  /** UTC ms. */
  stuckSince: number | null;
  lastPaymentAt: number | null;
};

const NOTHING: DirectorySums = {
  clinics: 0,
  waiting: 0,
  needsHuman: 0,
  stuck: 0,
  failing: 0,
  silent: 0,
  behind: 0,
  bytes: 0,
  stuckSince: null,
  lastPaymentAt: null,
};

export async function sumDirectory({ $client: d1 }: Db, silentFrom: number): Promise<DirectorySums> {
  const sums = await prepare(
    d1,
    rawSql`SELECT count(*) AS clinics, coalesce(sum(needs_human > 0), 0) AS waiting,
      coalesce(sum(needs_human), 0) AS needsHuman, count(stuck_since) AS stuck, count(failing_since) AS failing,
      coalesce(sum(account IS NOT NULL AND heard_at < ${silentFrom}), 0) AS silent, coalesce(sum(schema < ${NEWEST}), 0) AS behind,
      coalesce(sum(bytes), 0) AS bytes, min(stuck_since) AS stuckSince, max(last_payment_at) AS lastPaymentAt
      FROM clinics WHERE erased_at IS NULL`,
  ).first<DirectorySums>();
  return sums ?? NOTHING;
}
