import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * An esbuild plugin for `import text from './file.sql?raw'`, which Vite knows by itself. `change`: gets the path of the
 * file and its text, and answers the text to use.
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
