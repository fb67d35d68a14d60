import {
  type ClinicFilter,
  type ClinicProblem,
  clinicFilters,
  clinicProblemNames,
} from '#shared/contracts/operators/operator-values';
import { type ClinicRow, clinics } from '#worker/data/schema/directory';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';
import { joinSql, prepare, type RawSql, raw, rawSql } from '../sql.ts';

// The problems of clinics are computed only here, so that lists, counts and pages of single clinics agree.

/** Facts that the directory does not contain. */
export type ProblemFacts = {
  /** A clinic without a report since this time (UTC ms) is silent. */
  silentFrom: number;
  /** Online payments are paused for all clinics. */
  arePaused: boolean;
  /** The problem of a clinic by the event of its open alert; `alerted` for other events. */
  problemOfAlert: Readonly<Record<string, ClinicProblem>>;
};

/** A clinic of the directory with its problems, the worst first. */
export type ClinicWithProblems = { row: ClinicRow; problems: ClinicProblem[] };

const NEWEST = rawSql`(SELECT max(schema) FROM clinics)`;

/** The condition under which a clinic's row itself shows a problem. Open alerts can show further problems. */
function rowCondition(problem: ClinicProblem, { silentFrom, arePaused }: ProblemFacts): RawSql {
  switch (problem) {
    case 'silent':
      return rawSql`c.heard_at < ${silentFrom}`;
    case 'waiting':
      return rawSql`c.needs_human > 0`;
    case 'stuck':
      return rawSql`c.stuck_since IS NOT NULL`;
    case 'failing':
      return rawSql`c.failing_since IS NOT NULL`;
    case 'paused':
      return rawSql`${arePaused ? 1 : 0}`;
    case 'blocked':
    case 'alerted':
      return rawSql`0`;
  }
}

/**
 * The directory as `d`, with a column `is_…` (0 or 1) for each problem. A clinic without an account is erased or being
 * restored, and has none.
 */
function directory(facts: ProblemFacts): RawSql {
  const alerted = clinicProblemNames.map((name) => raw(`max(problem = '${name}') AS ${name}`));
  const flags = clinicProblemNames.map(
    (name) =>
      rawSql`c.account IS NOT NULL AND (${rowCondition(name, facts)} OR coalesce(h.${raw(name)}, 0)) AS is_${raw(name)}`,
  );
  return rawSql`WITH alerts_of AS (
    SELECT t.account, coalesce((SELECT value FROM json_each(${JSON.stringify(facts.problemOfAlert)})
      WHERE key = a.event), 'alerted') AS problem
    FROM alerts a INDEXED BY alerts_open JOIN alert_accounts t ON t.key = a.key
    WHERE a.closed_at IS NULL AND t.account <> 0),
  alerted AS (SELECT account, ${joinSql(alerted, ', ')} FROM alerts_of GROUP BY account),
  d AS (SELECT c.*, ${joinSql(flags, ', ')} FROM clinics c LEFT JOIN alerted h ON h.account = c.account)`;
}

const hasProblem = (problem: ClinicProblem): RawSql => raw(`d.is_${problem}`);

/** The condition on a row of `directory` for a group of clinics. */
function filterCondition(filter: ClinicFilter): RawSql {
  switch (filter) {
    case 'all':
      return rawSql`d.erased_at IS NULL`;
    case 'erased':
      return rawSql`d.erased_at IS NOT NULL`;
    case 'restoring':
      return rawSql`(d.erased_at IS NULL AND d.account IS NULL)`;
    case 'behind':
      return rawSql`(d.erased_at IS NULL AND d.schema < ${NEWEST})`;
    case 'trouble':
      return rawSql`(${joinSql(clinicProblemNames.map(hasProblem), ' OR ')})`;
    default:
      return hasProblem(filter);
  }
}

/** Matches parts of the name, or prefixes of the clinic's number or of the CRM's account id. */
function searchCondition(text: string): RawSql {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const prefix = pattern.slice(1);
  return rawSql`(d.name LIKE ${pattern} ESCAPE '\\' OR d.account LIKE ${prefix} ESCAPE '\\' OR d.number LIKE ${prefix} ESCAPE '\\')`;
}

const COLUMNS = raw(
  [columnsOf(clinics, 'd', ''), ...clinicProblemNames.map((name) => `d.is_${name} AS is_${name}`)].join(', '),
);

const clinicOf = (row: RawRow): ClinicWithProblems => ({
  row: rowOf(clinics, row, ''),
  problems: clinicProblemNames.filter((name) => row[`is_${name}`] === 1),
});

/** The worst problem first, then clinics without one. */
const SEVERITY = raw(
  `CASE ${clinicProblemNames.map((name, rank) => `WHEN d.is_${name} THEN ${rank}`).join(' ')} ELSE ${clinicProblemNames.length} END`,
);

export type ClinicsQuery = { words: string; filter: ClinicFilter; page: number; size: number };
export type ClinicsPage = { clinics: ClinicWithProblems[]; total: number; newestSchema: number };

/**
 * A page of the directory, the worst problems first. Reads the whole directory, one short row per clinic; only
 * operators request it.
 */
export async function readClinicsPage(
  { $client: d1 }: Db,
  facts: ProblemFacts,
  query: ClinicsQuery,
): Promise<ClinicsPage> {
  const { words, filter, page, size } = query;
  const where = [filterCondition(filter), ...(words ? [searchCondition(words)] : [])];
  const from = rawSql`FROM d WHERE ${joinSql(where, ' AND ')}`;
  const [rows, totals] = await d1.batch<RawRow>([
    prepare(
      d1,
      rawSql`${directory(facts)} SELECT ${COLUMNS} ${from}
        ORDER BY ${SEVERITY}, d.name COLLATE NOCASE, d.number LIMIT ${size} OFFSET ${(page - 1) * size}`,
    ),
    prepare(d1, rawSql`${directory(facts)} SELECT count(*) AS total, coalesce(${NEWEST}, 0) AS newest ${from}`),
  ]);
  const totalsRow = totals?.results[0];
  return {
    clinics: (rows?.results ?? []).map(clinicOf),
    total: Number(totalsRow?.total ?? 0),
    newestSchema: Number(totalsRow?.newest ?? 0),
  };
}

/** One clinic with its problems, and the newest schema version of any. Undefined if there is no such clinic. */
export async function findClinicWithProblems(
  { $client: d1 }: Db,
  facts: ProblemFacts,
  number: number,
): Promise<(ClinicWithProblems & { newestSchema: number }) | undefined> {
  const row = await prepare(
    d1,
    rawSql`${directory(facts)} SELECT ${COLUMNS}, ${NEWEST} AS newest FROM d WHERE d.number = ${number}`,
  ).first<RawRow>();
  return row ? { ...clinicOf(row), newestSchema: Number(row.newest ?? 0) } : undefined;
}

/** The number of clinics in each group, and totals of the directory. Times in UTC ms. */
export type DirectorySums = {
  groups: Record<ClinicFilter, number>;
  needsHuman: number;
  bytes: number;
  stuckSince: number | null;
  lastPaymentAt: number | null;
  /** The oldest last dump of any database, the installation's included; null if none has a dump yet. */
  oldestDumpAt: number | null;
  /** The number of databases that have no dump yet. */
  undumped: number;
};

const HAS_RECORDS = raw('d.erased_at IS NULL AND d.account IS NOT NULL');
/** The time of the installation's own last dump; 0 if there is none. A dump that is only planned has no month. */
const INSTALLATION_DUMP = raw(`coalesce((SELECT ended_at FROM dumps WHERE month <> ''), 0)`);

export async function sumDirectory({ $client: d1 }: Db, facts: ProblemFacts): Promise<DirectorySums> {
  const groups = clinicFilters.map((name) => rawSql`coalesce(sum(${filterCondition(name)}), 0) AS n_${raw(name)}`);
  const row = await prepare(
    d1,
    rawSql`${directory(facts)} SELECT ${joinSql(groups, ', ')},
      coalesce(sum(iif(d.is_waiting, d.needs_human, 0)), 0) AS needs_human,
      coalesce(sum(iif(d.erased_at IS NULL, d.bytes, 0)), 0) AS bytes,
      min(iif(d.is_stuck, d.stuck_since, NULL)) AS stuck_since,
      max(iif(d.erased_at IS NULL, d.last_payment_at, NULL)) AS last_payment_at,
      min(iif(${HAS_RECORDS}, nullif(d.dumped_at, 0), NULL)) AS dumped_at,
      coalesce(sum(${HAS_RECORDS} AND d.dumped_at = 0), 0) AS undumped, ${INSTALLATION_DUMP} AS own_dump FROM d`,
  ).first<Record<string, number | null>>();
  const ownDump = row?.own_dump ?? 0;
  const dumps = [row?.dumped_at, ownDump].flatMap((at) => (at ? [at] : []));
  return {
    groups: Object.fromEntries(clinicFilters.map((name) => [name, row?.[`n_${name}`] ?? 0])) as DirectorySums['groups'],
    needsHuman: row?.needs_human ?? 0,
    bytes: row?.bytes ?? 0,
    stuckSince: row?.stuck_since ?? null,
    lastPaymentAt: row?.last_payment_at ?? null,
    oldestDumpAt: dumps.length > 0 ? Math.min(...dumps) : null,
    undumped: (row?.undumped ?? 0) + Number(ownDump === 0),
  };
}
