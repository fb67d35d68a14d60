import type { ClinicList, InspectedClinic, ListedClinic } from '#shared/contracts/operators/operate';
import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import { findDirectoryRow, listClinics } from '#worker/data/operate/directory';
import { countExport } from '#worker/data/operate/export';
import { readFigures } from '#worker/data/operate/figures';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { ClinicRow } from '#worker/data/schema/directory';
import type { Deps } from '#worker/deps';
import { isCatchingUp } from '#worker/domain/merchants/after-restore';
import { clinicOfAccount } from '#worker/domain/merchants/clinic-of-account';

/** The deps of an account's database; account 0 is the installation. Null if the account has no clinic. */
export const databaseOf = async (deps: Deps, account: number): Promise<Deps | null> =>
  account === INSTALLATION ? deps : clinicOfAccount(deps, account);

const PAGE_SIZE = 500;

/** Lists the fields one by one, because the directory also holds data that operators must not read. */
const presentClinic = (row: ClinicRow): ListedClinic => ({
  clinic: row.number,
  account: row.accountId,
  name: row.name,
  schema: row.schema,
  foundedAt: row.foundedAt,
  heardAt: row.heardAt,
  erasedAt: row.erasedAt,
  bytes: row.bytes,
  needsHuman: row.needsHuman,
  failingSince: row.failingSince,
  stuckSince: row.stuckSince,
  lastPaymentAt: row.lastPaymentAt,
  dumpedAt: row.dumpedAt,
});

/** One page of the directory: the clinics with numbers above `after`. */
export async function viewClinics({ installation }: Deps, after: number): Promise<ClinicList> {
  const rows = await listClinics(installation, after, PAGE_SIZE);
  const next = rows.length === PAGE_SIZE ? (rows.at(-1)?.number ?? null) : null;
  return { clinics: rows.map(presentClinic), schema: CLINIC_SCHEMA, next };
}

/** A clinic's figures, from its own database and the directory. Null if the account has no clinic. */
export async function inspectClinic(deps: Deps, account: number): Promise<InspectedClinic | null> {
  const clinicDeps = await databaseOf(deps, account);
  const row = clinicDeps && (await findDirectoryRow(deps.installation, clinicDeps.clinic));
  if (!clinicDeps || !row || clinicDeps.clinic === 0) return null;
  const [{ counts, ledgerCents }, figures, catchingUp] = await Promise.all([
    countExport(clinicDeps.db),
    readFigures(clinicDeps.db),
    isCatchingUp(clinicDeps, account),
  ]);
  return { ...presentClinic(row), counts, ledgerCents, ...figures, isCatchingUp: catchingUp };
}
