import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import type { Migration } from '#worker/clinic/facade';
import { newDatabaseSql } from '../../../scripts/registers/new-database.ts';
import { type Edit, EditError, ROOT, replaceOnce } from './edits.ts';
import { readMigrationFiles } from './migrations.ts';

export { type Edit, EditError, ROOT, replaceOnce } from './edits.ts';

/** The product's own list of a clinic's migrations, its length, and what they come to: generated files, which the bundle has anew. */
const MIGRATIONS = `${ROOT}worker/clinic/migrations.ts`;
const SCHEMA_NUMBER = `${ROOT}worker/clinic/schema-number.ts`;
const NEW_DATABASE = `${ROOT}worker/clinic/new-database.ts`;

const isMigration = ({ file }: Edit) => file.startsWith('migrations/');

/**
 * The tests' Worker as one module, or what `more` builds instead. Each edit must match its file exactly once, or the
 * build fails. `added`: migrations of a clinic that a later version has.
 */
export async function bundleWorker(edits: Edit[], more: BuildOptions = {}, added: Migration[] = []): Promise<string> {
  const unused = new Set(edits);
  const files = [...(await readMigrationFiles(edits.filter(isMigration))), ...added];
  const result = await build({
    entryPoints: [fileURLToPath(new URL('./entry.ts', import.meta.url))],
    absWorkingDir: ROOT,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    // Smaller, because each isolate parses it at each start.
    minifyWhitespace: true,
    minifySyntax: true,
    write: false,
    logLevel: 'silent',
    conditions: ['workerd', 'worker', 'browser'],
    define: { 'import.meta.env.DEV': 'false' },
    external: ['cloudflare:*', 'node:*'],
    ...more,
    plugins: [
      {
        name: 'edits',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            if (path === MIGRATIONS) {
              for (const edit of edits.filter(isMigration)) unused.delete(edit);
              return { contents: `export const clinicMigrations = ${JSON.stringify(files)}`, loader: 'ts' };
            }
            if (path === SCHEMA_NUMBER)
              return { contents: `export const CLINIC_SCHEMA = ${files.length}`, loader: 'ts' };
            if (path === NEW_DATABASE) {
              const made = { schema: files.length, sql: newDatabaseSql(files) };
              return { contents: `export const newDatabase = ${JSON.stringify(made)}`, loader: 'ts' };
            }
            const own = edits.filter(({ file }) => path === `${ROOT}${file}`);
            if (own.length === 0) return null;
            for (const edit of own) unused.delete(edit);
            return { contents: own.reduce(replaceOnce, await readFile(path, 'utf8')), loader: 'ts' };
          });
        },
      },
    ],
  });
  if (unused.size > 0) throw new EditError(`not part of the Worker: ${[...unused].map(({ file }) => file).join(', ')}`);
  return result.outputFiles?.[0]?.text ?? '';
}
