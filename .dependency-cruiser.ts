import type { IConfiguration, IRegularForbiddenRuleType } from 'dependency-cruiser';

/**
 * Who may import whom. Tests may import everything; .astro files are held to the same by biome.json.
 * tests/check/directions.test.ts plants a violation of every rule.
 */
const TEST = '\\.test\\.tsx?$';

/** Product files under `from` import none of `to`. */
const never = (
  name: string,
  comment: string,
  from: string,
  to: IRegularForbiddenRuleType['to'],
): IRegularForbiddenRuleType => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: TEST },
  to,
});

/** Product files under `from` import `to` and nothing else. */
const only = (name: string, comment: string, from: string, to: string[]) => never(name, comment, from, { pathNot: to });

const npm = (name: string) => `node_modules/${name}/`;

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that need each other cannot be read one after the other, even where only types go round.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'What an import names must exist.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^cloudflare:', '^astro:', '\\?(url|raw)$'] },
    },
    only('shared-pure', 'Shared code runs in the browser, the Worker and the build.', '^shared/', [
      '^shared/',
      npm('(zod|@types/hast|parse5|hast-util-(from-parse5|sanitize|to-html))'),
    ]),
    never('site-not-behind', 'The site knows the Worker only by its contracts.', '^site/', {
      path: ['^(worker|sandbox|scripts|tests)/', npm('hono'), npm('drizzle-orm')],
    }),
    never('site-layers', 'Pages use layouts, sections and islands, never the other way round.', '^site/(?!pages/)', {
      path: '^site/pages/',
    }),
    never('island-own-area', 'An area of islands knows itself and ui.', '^site/islands/([^/]+)/', {
      path: '^site/islands/',
      pathNot: '^site/islands/($1|ui)/',
    }),
    never('worker-not-outside', 'The Worker knows no simulated world, no site and no tool.', '^worker/', {
      path: '^(sandbox|site|scripts|tests)/',
    }),
    never('sandbox-not-product', 'The simulated world meets the product only over HTTP.', '^sandbox/', {
      path: '^(worker|site|scripts|tests)/',
    }),
    only('domain-pure', 'Verbs know data, ports and shared code: no HTTP, no vendor, no SQL.', '^worker/domain/', [
      '^shared/',
      '^worker/(domain|data)/',
      '^worker/(deps|log|sealer)\\.ts$',
      '^worker/ports/',
    ]),
    never('domain-deps-as-types', 'What deps hold is handed in.', '^worker/domain/', {
      path: '^worker/deps\\.ts$',
      dependencyTypesNot: ['type-only'],
    }),
    only('data-only-sql', 'Data knows tables and buckets: no verb, no HTTP, no vendor.', '^worker/data/', [
      '^shared/',
      '^worker/data/',
      '^worker/ports/',
      npm('drizzle-orm'),
    ]),
    never('data-ports-as-types', 'Data stores the words of ports, it calls none.', '^worker/data/', {
      path: '^worker/ports/',
      dependencyTypesNot: ['type-only'],
    }),
    only('adapter-own-vendor', 'An adapter knows its vendor and the port it fills.', '^worker/adapters/([^/]+)/', [
      '^shared/',
      '^worker/adapters/($1/|http\\.ts$)',
      '^worker/ports/',
      npm('zod'),
    ]),
    never(
      'routes-call-verbs',
      'A route calls verbs and plain reads: no vendor, no setting, no SQL.',
      '^worker/routes/',
      {
        path: ['^worker/adapters/', '^worker/(env|sealer|app|index)\\.ts$', npm('drizzle-orm')],
      },
    ),
    never('routes-not-routes', 'Routes never call routes.', '^worker/routes/', { path: '^worker/routes/' }),
    never('middleware-not-up', 'Middleware knows no route, no vendor and no SQL.', '^worker/(middleware|http)/', {
      path: ['^worker/(adapters|routes)/', '^worker/(app|index)\\.ts$', npm('drizzle-orm')],
    }),
    never('product-not-dev', 'What is deployed needs no development package.', '^(worker|site|shared)/', {
      dependencyTypes: ['npm-dev'],
      dependencyTypesNot: ['type-only'],
    }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.astro|\\.wrangler|tests/\\.output)' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'workerd', 'default', 'types'] },
    moduleSystems: ['es6'],
  },
} satisfies IConfiguration;
