import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { bundleWorker, type Edit } from '#tests/money/cluster/bundle';

/** Bundles and loads a product module after edits, each of which must match its file exactly once. */
export async function loadEdited<T>(module: URL, edits: Edit[]): Promise<T> {
  const code = await bundleWorker(edits, { entryPoints: [fileURLToPath(module)], format: 'cjs' });
  const loaded = { exports: {} };
  compileFunction(code, ['module', 'exports', 'require'])(loaded, loaded.exports, createRequire(import.meta.url));
  return loaded.exports as T;
}
