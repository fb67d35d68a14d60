import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { newDatabaseSql } from './new-database.ts';

export const MIGRATIONS = 'worker/clinic/migrations.ts';
export const SCHEMA_NUMBER = 'worker/clinic/schema-number.ts';
export const NEW_DATABASE = 'worker/clinic/new-database.ts';

const GENERATED = '`npm run registers` writes this file, out of migrations/clinic/.';

/** A template literal that says exactly this. */
export const literal = (text: string): string => `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&')}\``;

/** The files that the migrations of a clinic's database make, as texts by their paths. */
export function clinicMigrationFiles(folder = 'migrations/clinic'): Record<string, string> {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const gap = names.findIndex((name, at) => !name.startsWith(`${String(at + 1).padStart(4, '0')}_`));
  if (gap >= 0) throw new Error(`${names[gap]} should be number ${gap + 1}: the migrations have no holes`);
  const files = names.map((name) => ({ name, sql: readFileSync(path.join(folder, name), 'utf8') }));
  const entries = files.map(({ name, sql }) => `  {\n    name: '${name}',\n    sql: ${literal(sql)},\n  },\n`);
  return {
    [MIGRATIONS]: `/**
 * The migrations of a clinic's database, in order. ${GENERATED}
 * Import it lazily: only a database that is behind needs it.
 */
export const clinicMigrations: readonly { name: string; sql: string }[] = [
${entries.join('')}];
`,
    [SCHEMA_NUMBER]: `/** How many migrations a clinic's database has. ${GENERATED} */
export const CLINIC_SCHEMA = ${names.length};
`,
    [NEW_DATABASE]: `/**
 * What all migrations come to, by which a new clinic's database is made; \`schema\`: how many they are.
 * ${GENERATED} Import it lazily: only a founding needs it.
 */
export const newDatabase: { schema: number; sql: string } = {
  schema: ${names.length},
  sql: ${literal(newDatabaseSql(files))},
};
`,
  };
}
