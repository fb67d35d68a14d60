import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { bundleWorker, type Edit, EditError, replaceOnce } from '#tests/money/cluster/bundle';
import { readMigrations } from '#tests/money/cluster/migrations';
import { type Platform, REPLACED } from './platform.ts';

export type Product = typeof import('./entry.ts');

/** The product's code, bundled once so that no import waits for a file. `installation`: its schema statements. */
export type Bundle = { code: string; installation: string[]; migrations: Edit[] };

/** Module state that lasts between requests; it belongs to one isolate and ends with it. */
const MEMORY: Edit[] = [
  {
    file: 'worker/domain/alerts/measure.ts',
    from: 'new Map<number, { newestEvent: number; at: number }>()',
    to: "platform.memory('quiet')",
  },
];

/** Bundles the product after the given edits, each of which must match once: in its source, or in a migration. */
export async function bundleProduct(edits: Edit[]): Promise<Bundle> {
  const isOfSchema = ({ file }: Edit) => file.startsWith(CLINIC_FOLDER);
  const code = await bundleWorker([...edits.filter((edit) => !isOfSchema(edit)), ...MEMORY], {
    entryPoints: [fileURLToPath(new URL('./entry.ts', import.meta.url))],
    format: 'cjs',
    minifyWhitespace: false,
    define: { 'import.meta.env.DEV': 'false', ...REPLACED },
  });
  return { code, installation: await readMigrations('installation'), migrations: edits.filter(isOfSchema) };
}

const CLINIC_FOLDER = 'migrations/clinic/';

export function loadProduct({ code, migrations }: Bundle, platform: Platform): Product {
  const module = { exports: {} };
  const run = compileFunction(code, ['platform', 'module', 'exports', 'require']);
  run(platform, module, module.exports, createRequire(import.meta.url));
  const product = module.exports as Product;
  for (const edit of migrations) {
    const file = product.clinicMigrations.find(({ number }) => edit.file.startsWith(`${CLINIC_FOLDER}0${number}_`));
    if (!file) throw new EditError(`no such migration: ${edit.file}`);
    file.sql = replaceOnce(file.sql, edit);
  }
  return product;
}
