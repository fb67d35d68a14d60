import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { rawAsText } from '#scripts/local/raw-as-text';
import { type Edit, EditError, ROOT, replaceOnce } from './edits.ts';

export { type Edit, EditError, ROOT, replaceOnce } from './edits.ts';

/**
 * The tests' Worker as one module, or what `more` builds instead. Each edit must match its file exactly once, or the
 * build fails.
 */
export async function bundleWorker(edits: Edit[], more: BuildOptions = {}): Promise<string> {
  const unused = new Set(edits);
  const edited = (path: string, text: string): string => {
    const own = edits.filter(({ file }) => path === `${ROOT}${file}`);
    for (const edit of own) unused.delete(edit);
    return own.reduce(replaceOnce, text);
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
    ...more,
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
