import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { bundleWorker, type Edit } from '#tests/money/cluster/bundle';

/** A module of the product after edits, each of which must match its file once. */
export async function bundled<T>(module: URL, edits: Edit[]): Promise<T> {
  const code = await bundleWorker(edits, { entryPoints: [fileURLToPath(module)], format: 'cjs' });
  const made = { exports: {} };
  compileFunction(code, ['module', 'exports', 'require'])(made, made.exports, createRequire(import.meta.url));
  return made.exports as T;
}
