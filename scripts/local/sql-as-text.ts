import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * An esbuild plugin for `import text from './file.sql?raw'`, which Vite supports natively. `change` gets the path of
 * the file and its text, and returns the text to use.
 */
export const sqlAsText = (change = (_file: string, text: string) => text): Plugin => ({
  name: 'sql-as-text',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.sql\?raw$/ }, ({ path: file, resolveDir }) => ({
      path: path.resolve(resolveDir, file.replace('?raw', '')),
    }));
    onLoad({ filter: /\.sql$/ }, async ({ path: file }) => ({
      contents: change(file, await readFile(file, 'utf8')),
      loader: 'text',
    }));
  },
});

/** The same for a program that Node runs unbundled. Import modules that need it afterwards, with `await import`. */
export function registerSqlImports(): void {
  registerHooks({
    load: (url, context, next) =>
      /\.sql\?raw$/.test(url)
        ? { format: 'json', source: JSON.stringify(readFileSync(new URL(url), 'utf8')), shortCircuit: true }
        : next(url, context),
  });
}
