import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ViteUserConfig } from 'astro';

type Plugin = Extract<NonNullable<ViteUserConfig['plugins']>[number], { name: string }>;

/** The exports of each text module, by its path; `npm run deploy` writes the file. */
type Modules = Record<string, Record<string, unknown>>;

/**
 * Builds with an environment's own operator texts instead of the samples. `file`: a JSON file of `Modules`; without it,
 * the samples are used.
 */
export function operatorsWords(file: string | undefined): Plugin {
  const modules = file ? (JSON.parse(readFileSync(file, 'utf8')) as Modules) : {};
  const byId = new Map(Object.entries(modules).map(([name, moduleExports]) => [path.resolve(name), moduleExports]));
  return {
    name: 'operators-words',
    enforce: 'pre',
    load: {
      filter: { id: /\/shared\/operator(-cards)?\.ts$/ },
      handler: (id) => {
        const moduleExports = byId.get(path.resolve(id));
        return (
          moduleExports &&
          Object.entries(moduleExports)
            .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
            .join('\n')
        );
      },
    },
  };
}
