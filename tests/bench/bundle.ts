import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { rawAsText } from '#scripts/local/raw-as-text';

/** Text of a file that a variant of the Worker has replaced; `file` is relative to the repository. */
export type Replacement = { file: string; texts: [from: string, to: string][] };

/** A Worker as one minified module, as it would be uploaded; `entry` is relative to this folder. */
export async function bundleOf(entry: string, replacements: Replacement[] = []): Promise<string> {
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
    plugins: [
      rawAsText(),
      {
        name: 'replaced',
        setup({ onLoad }) {
          onLoad({ filter: /\/worker\/.*\.ts$/ }, ({ path }) => load(path, replacements));
        },
      },
    ],
  });
  return bundle.outputFiles[0]?.text ?? '';
}

function load(path: string, replacements: Replacement[]): { contents: string; loader: 'ts' } | undefined {
  const replacement = replacements.find(({ file }) => path.endsWith(`/${file}`));
  if (!replacement) return undefined;
  const contents = replacement.texts.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${replacement.file} does not contain: ${from}`);
      return text.replace(from, to);
    },
    readFileSync(path, 'utf8'),
  );
  return { contents, loader: 'ts' };
}
