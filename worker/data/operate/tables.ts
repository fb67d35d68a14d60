import type { DeclaredTable } from '../schema/table.ts';
import { clinicTables as allOfClinic, installationTables } from '../schema/tables.ts';

/** Columns that no export has, with the reasons. */
const notExportedOf = ({ columns }: DeclaredTable) =>
  Object.entries(columns).flatMap(([name, { notExported }]) => (notExported ? [[name, notExported] as const] : []));
const isIn = (copy: 'export' | 'dump') => (table: DeclaredTable) =>
  table.copies === 'export and dump' || ('only' in table.copies && table.copies.only === copy);
const isCopied = (table: DeclaredTable) => !(typeof table.copies === 'object' && 'none' in table.copies);

/**
 * The tables of a clinic that can be put back. A terminal's key and the CRM's tokens stay sealed: only the installation's
 * TOKEN_KEYS open them.
 */
export const clinicTables = allOfClinic.filter(isCopied);
/** Those of an export, which leaves the installation as a file. */
export const exportTables = clinicTables.filter(isIn('export'));
/** Those of a clinic's nightly dump. */
export const dumpTables = clinicTables.filter(isIn('dump'));
/** Those of the installation's nightly dump. */
export const installationDump = installationTables.filter(isIn('dump'));

/** A table of an export; undefined: there is none of that name. */
export const exportTable = (name: string): DeclaredTable | undefined =>
  exportTables.find((table) => table.name === name);
/** A table that can be put back. */
export const clinicTable = (name: string): DeclaredTable | undefined =>
  clinicTables.find((table) => table.name === name);

/** Columns that an export leaves out. `isOurs`: also those that stay here when a clinic takes its records along. */
export const withoutIn = (table: DeclaredTable, isOurs: boolean): string[] => [
  ...notExportedOf(table).map(([name]) => name),
  ...Object.entries(table.columns).flatMap(([name, { staysHere }]) => (isOurs && staysHere ? [name] : [])),
];

/** Columns that evidence leaves out after an erasure: also what names a person, and keys of requests. */
export const withoutInEvidence = (table: DeclaredTable): string[] =>
  Object.entries(table.columns).flatMap(([name, { notExported, personal, freeText, replayKey, staysHere }]) =>
    notExported || personal || freeText || replayKey || staysHere ? [name] : [],
  );

/** What an export does not hold, by table or `table.column`, with the reasons. */
export function leftOut(isOurs: boolean): Record<string, string> {
  const tables = allOfClinic.flatMap(({ name, copies }) => {
    if (copies === 'export and dump') return [];
    if ('none' in copies) return [[name, copies.none]];
    return copies.only === 'dump' ? [[name, copies.why]] : [];
  });
  const columns = exportTables.flatMap((table) =>
    withoutIn(table, isOurs).map((column) => {
      const { notExported, staysHere } = table.columns[column] ?? {};
      return [`${table.name}.${column}`, notExported ?? staysHere ?? ''];
    }),
  );
  return Object.fromEntries([...tables, ...columns]);
}
