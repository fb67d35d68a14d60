import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { rawAsText } from '#scripts/local/raw-as-text';
import { type Edit, EditError, ROOT, replaceOnce } from './edits.ts';

export { type Edit, EditError, ROOT, replaceOnce } from './edits.ts';

/**
 * Bundles the tests' Worker into one module, or the entry that `overrides` names instead. The build fails unless each
 * edit matches its file exactly once.
 */
export async function bundleWorker(edits: Edit[], overrides: BuildOptions = {}): Promise<string> {
  const unused = new Set(edits);
  const edited = (path: string, text: string): string => {
    const fileEdits = edits.filter(({ file }) => path === `${ROOT}${file}`);
    for (const edit of fileEdits) unused.delete(edit);
    return fileEdits.reduce(replaceOnce, text);
  };
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
    ...overrides,
    plugins: [
      rawAsText(edited),
      {
        name: 'edits',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            if (!edits.some(({ file }) => path === `${ROOT}${file}`)) return null;
            return { contents: edited(path, await readFile(path, 'utf8')), loader: 'ts' };
          });
        },
      },
    ],
  });
  if (unused.size > 0) throw new EditError(`not part of the Worker: ${[...unused].map(({ file }) => file).join(', ')}`);
  return result.outputFiles?.[0]?.text ?? '';
}
