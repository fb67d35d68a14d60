import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A Worker as one minified module, as it would be uploaded; `entry` is relative to this folder. */
export async function bundleOf(entry: string): Promise<string> {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    format: 'esm',
    target: 'es2024',
    minify: true,
    write: false,
    conditions: ['workerd', 'worker', 'browser'],
    define: { 'import.meta.env.DEV': 'false' },
    external: ['cloudflare:*', 'node:*'],
  });
  return bundle.outputFiles[0]?.text ?? '';
}
