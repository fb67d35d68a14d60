import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { VitestPluginContext } from 'vitest/node';
import unit from '../../vitest.config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { texts, url } = JSON.parse(readFileSync(process.env.TILLWAY_MUTANTS ?? '', 'utf8')) as {
  texts: Record<string, string>;
  url: string;
};

/** The usual unit tests over product files with mutants compiled in; no file on disk changes. */
const [project] = unit.test?.projects ?? [];
if (typeof project !== 'object' || !('test' in project)) throw new Error('the first project must be the unit tests');

export default defineConfig({
  root,
  test: {
    // Vitest's cache is keyed by the files on disk and ignores the mutants of a run.
    fsModuleCache: false,
    projects: [
      {
        ...project,
        plugins: [
          ...(project.plugins ?? []),
          {
            name: 'mutants',
            enforce: 'pre',
            load: (id: string) => texts[id.split('?')[0]?.replace(root, '') ?? ''] ?? null,
            configureVitest: ({ project }: VitestPluginContext) => project.provide('mutantsUrl', url),
          },
        ],
        test: {
          ...project.test,
          runner: fileURLToPath(new URL('./runner.ts', import.meta.url)),
          // A short timeout quickly kills a mutant whose condition never becomes true.
          expect: { poll: { timeout: 5000 } },
        },
      },
    ],
  },
});
