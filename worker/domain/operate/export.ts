import type { ExportPiece, ExportPlan } from '#shared/contracts/operate';
import { CLINIC_SCHEMA } from '#worker/clinic/schema-number';
import { type After, countExport, readPiece } from '#worker/data/operate/export';
import { exportTable, exportTables } from '#worker/data/operate/tables';
import type { Deps } from '#worker/deps';
import { databaseOf } from './find.ts';

/** Rows of a piece; an invoice has about one kilobyte. */
const ROWS = 500;

/** What an export of a clinic must have. Null: the account has none. */
export async function planExport(deps: Deps, account: number): Promise<ExportPlan | null> {
  const own = await databaseOf(deps, account);
  if (!own || own.clinic === 0) return null;
  const counted = await countExport(own.db);
  return {
    clinic: own.clinic,
    account,
    schema: CLINIC_SCHEMA,
    tables: exportTables.map(({ name }) => name),
    ...counted,
  };
}

/** A piece of a table, behind `after`. Null: there is no such clinic or table. */
export async function exportPiece(
  deps: Deps,
  account: number,
  name: string,
  after: After | null,
): Promise<ExportPiece | null> {
  const table = exportTable(name);
  const own = table && (await databaseOf(deps, account));
  if (!own || own.clinic === 0 || (after && after.length !== table.key.length)) return null;
  return readPiece(own.db, table, { after, limit: ROWS, without: table.without ?? [] });
}
