import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * An esbuild plugin for `import text from './file.sql?raw'`, which Vite supports natively. `change` gets the path of
 * the file and its text, and returns the text to use.
 */
export const rawAsText = (change = (_file: string, text: string) => text): Plugin => ({
  name: 'raw-as-text',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.(sql|md)\?raw$/ }, ({ path: file, resolveDir }) => ({
      path: path.resolve(resolveDir, file.replace('?raw', '')),
    }));
    onLoad({ filter: /\.(sql|md)$/ }, async ({ path: file }) => ({
      contents: change(file, await readFile(file, 'utf8')),
      loader: 'text',
    }));
  },
});

/** The same for a program that Node runs unbundled. Import modules that need it afterwards, with `await import`. */
export function registerRawImports(): void {
  registerHooks({
    load: (url, context, next) =>
      /\.(sql|md)\?raw$/.test(url)
        ? { format: 'json', source: JSON.stringify(readFileSync(new URL(url), 'utf8')), shortCircuit: true }
        : next(url, context),
  });
}
