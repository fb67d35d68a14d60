import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { bundleWorker, type Edit } from '#tests/money/cluster/bundle';
import { readMigrations } from '#tests/money/cluster/migrations';
import { type Platform, REPLACED } from './platform.ts';

export type Product = typeof import('./entry.ts');

/** The product as code: bundled once, so that no import of it waits for a file. */
export type Bundle = { code: string; schema: string[] };

/** The product after the given edits, each of which must match once: of its source, or of a migration's text. */
export async function bundleProduct(edits: Edit[]): Promise<Bundle> {
  const isOfSchema = ({ file }: Edit) => file.startsWith('migrations/');
  const [code, schema] = await Promise.all([
    bundleWorker(
      edits.filter((edit) => !isOfSchema(edit)),
      {
        entryPoints: [fileURLToPath(new URL('./entry.ts', import.meta.url))],
        format: 'cjs',
        minifyWhitespace: false,
        define: { 'import.meta.env.DEV': 'false', ...REPLACED },
      },
    ),
    readMigrations(edits.filter(isOfSchema)),
  ]);
  return { code, schema };
}

export function loadProduct({ code }: Bundle, platform: Platform): Product {
  const module = { exports: {} };
  const run = compileFunction(code, ['platform', 'module', 'exports', 'require']);
  run(platform, module, module.exports, createRequire(import.meta.url));
  return module.exports as Product;
}
