import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** One change to the product's source, which removes one of its guards. */
export type Edit = { file: string; from: string; to: string };

export class EditError extends Error {}

export function replaceOnce(text: string, { from, to, file }: Edit): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new EditError(`"${from}" stands ${parts.length - 1} times in ${file}, not once`);
  return parts.join(to);
}

/**
 * The tests' Worker as one module, or what `more` builds instead. Each edit must match its file exactly once, or the
 * build fails.
 */
export async function bundleWorker(edits: Edit[], more: BuildOptions = {}): Promise<string> {
  const unused = new Set(edits);
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
