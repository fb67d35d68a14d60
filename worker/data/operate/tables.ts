import type { DeclaredTable } from '../schema/table.ts';
import { clinicTables as allOfClinic, installationTables } from '../schema/tables.ts';

/** Columns that every export omits, with the reasons. */
const notExportedOf = ({ columns }: DeclaredTable) =>
  Object.entries(columns).flatMap(([name, { notExported }]) => (notExported ? [[name, notExported] as const] : []));
const isIn = (copy: 'export' | 'dump') => (table: DeclaredTable) =>
  table.copies === 'export and dump' || ('only' in table.copies && table.copies.only === copy);
const isCopied = (table: DeclaredTable) => !(typeof table.copies === 'object' && 'none' in table.copies);

/**
 * The tables of a clinic that can be restored. Terminal keys and CRM tokens stay sealed: only the installation's
 * TOKEN_KEYS open them.
 */
export const clinicTables = allOfClinic.filter(isCopied);
/** The tables of an export, which leaves the installation as a file. */
export const exportTables = clinicTables.filter(isIn('export'));
/** The tables of a clinic's nightly dump. */
export const dumpTables = clinicTables.filter(isIn('dump'));
/** The tables of the installation's nightly dump. */
export const installationDump = installationTables.filter(isIn('dump'));

/** The exported table of that name; undefined if there is none. */
export const exportTable = (name: string): DeclaredTable | undefined =>
  exportTables.find((table) => table.name === name);
/** The restorable table of that name; undefined if there is none. */
export const clinicTable = (name: string): DeclaredTable | undefined =>
  clinicTables.find((table) => table.name === name);

/** Columns that an export omits. `isOurs`: the export of a clinic, which omits the `staysHere` columns as well. */
export const withoutIn = (table: DeclaredTable, isOurs: boolean): string[] => [
  ...notExportedOf(table).map(([name]) => name),
  ...Object.entries(table.columns).flatMap(([name, { staysHere }]) => (isOurs && staysHere ? [name] : [])),
];

/** Columns that the evidence after an erasure omits: also personal columns, free text and replay keys. */
export const withoutInEvidence = (table: DeclaredTable): string[] =>
  Object.entries(table.columns).flatMap(([name, { notExported, personal, freeText, replayKey, staysHere }]) =>
    notExported || personal || freeText || replayKey || staysHere ? [name] : [],
  );

/** Tables and columns (`table.column`) that an export omits, with the reasons. */
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
