import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { squashMigrations } from '#tests/support/unit/squash-migrations';
import { BROWSER_WORKERS } from './scripts/run-tests/parts.ts';

const isComplete = process.env.SIZE === 'full';

/** An awaited condition may take a while on a busy machine; the default is one second. */
const PATIENT = { poll: { timeout: 15_000 } };

/** Where each file of journeys goes; see tests/journeys.json. */
const KEEPS_VISITS = 'tests/support/journeys/keep-visits.ts';

const node = (name: string, include: string[], more: object = {}) => ({
  test: {
    name,
    include,
    environment: 'node' as const,
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 180_000,
    expect: PATIENT,
    ...more,
  },
});

export default defineConfig({
  test: {
    projects: [
      {
        // Unit tests lie beside the Worker's code and run inside the Workers runtime, on real D1 and R2. Two workerd
        // serve all files: the setup file empties storage between tests.
        plugins: [
          cloudflareTest(async () => {
            // DB is a clinic's database, which the product itself does not have in D1.
            const sets = { DB: 'clinic', INSTALLATION: 'installation' };
            const read = Object.entries(sets).map(async ([name, set]) => {
              const migrations = await readD1Migrations(`./migrations/${set}`);
              return [name, { migrations, schema: squashMigrations(migrations) }] as const;
            });
            const bindings = { TEST_SETS: Object.fromEntries(await Promise.all(read)), COMPLETE: isComplete };
            const d1Databases = ['DB', 'MIGRATED_DB', 'MIGRATED_INSTALLATION', 'BARE_D1'];
            return { wrangler: { configPath: './wrangler.toml' }, miniflare: { bindings, d1Databases } };
          }),
        ],
        test: {
          name: 'unit',
          include: ['{worker,tests/unit}/**/*.test.ts'],
          // Hooks of the later file run first, so it still sees what a test left in the database.
          setupFiles: ['tests/support/unit/unit-setup.ts', 'tests/statements/record.ts'],
          globalSetup: ['tests/support/sandbox-setup.ts', 'tests/statements/collect.ts'],
          isolate: false,
          maxWorkers: 2,
          testTimeout: 60_000,
          expect: PATIENT,
        },
      },
      node('node', ['{shared,tests/sandbox,tests/check,tests/simulation,tests/support,scripts,site}/**/*.test.ts'], {
        // Most of the time passes in processes that these tests start.
        fileParallelism: true,
        maxWorkers: 2,
      }),
      node('components', ['site/**/*.test.tsx'], {
        environment: 'happy-dom',
        environmentOptions: {
          happyDOM: { url: 'https://tillway.example/', settings: { navigation: { disableMainFrameNavigation: true } } },
        },
        setupFiles: ['tests/support/components/components-setup.ts'],
        // A failed query prints what it looked in; the whole page would hide the reason.
        env: { DEBUG_PRINT_LIMIT: '3000' },
        fileParallelism: true,
        maxWorkers: 2,
      }),
      node('statements', ['tests/statements/**/*.test.ts']),
      // The complete run adds mutants to the experiments; each file has its own Worker.
      node('money', ['tests/{money,mutants}/**/*.test.ts'], {
        setupFiles: [KEEPS_VISITS],
        testTimeout: 900_000,
        fileParallelism: isComplete,
        maxWorkers: 2,
      }),
      node('whole', ['tests/{whole,spec}/**/*.test.ts'], {
        globalSetup: ['tests/support/openapi/make-document.ts', 'tests/support/product/product-setup.ts'],
        setupFiles: ['tests/support/openapi/hold-answers.ts', KEEPS_VISITS],
      }),
      node('bench', ['tests/bench/**/*.test.ts'], {
        globalSetup: ['tests/support/product/product-setup.ts'],
        testTimeout: 600_000,
      }),
      node('browser', ['tests/browser/**/*.test.ts'], {
        globalSetup: ['tests/support/product/product-setup.ts'],
        setupFiles: [KEEPS_VISITS],
        // The files of a worker share a product, a browser and what is loaded for the first.
        isolate: false,
        fileParallelism: true,
        maxWorkers: BROWSER_WORKERS,
        // Projects with another number of workers come after one another, where files of several are asked for.
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
