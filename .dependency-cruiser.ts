import type { IConfiguration, IRegularForbiddenRuleType } from 'dependency-cruiser';

/**
 * Import rules between folders. Tests may import everything; biome.json applies the same rules to .astro files.
 * tests/check/directions.test.ts tests every rule with a violation.
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

/** Product files under `from` import only `to`. */
const only = (name: string, comment: string, from: string, to: string[]) => never(name, comment, from, { pathNot: to });

const npm = (name: string) => `node_modules/${name}/`;

/** Interfaces to vendors. The card provider's are separate from its code, so that another provider can be added. */
const PORTS = '((gateway|boarding)-port|[^/]+/(payment-records-)?port)\\.ts$';
const PORT = `^worker/vendors/${PORTS}`;
const NOT_A_PORT = `^worker/vendors/(?!${PORTS})`;

/**
 * The rooms of each floor from the bottom up: a room may import the rooms before it, never those after it. Put a new
 * room where its imports allow it.
 */
export const ROOMS: Record<string, string[]> = {
  'worker/data': [
    'schema',
    'audit',
    'directory',
    'analytics',
    'takings',
    'batches',
    'content/accounts',
    'content/articles',
    'content/publishing',
    'content/media',
    'crm-sync',
    'mail',
    'reminders',
    'pay-links',
    'installments',
    'payments',
    'refunds',
    'write-back',
    'terminals',
    'merchants',
    'first-hour',
    'preview',
    'mailings',
    'reconciliation',
    'invoices',
    'lists',
    'today',
    'tamper-monitor',
    'retention',
    'keys',
    'alerts',
    'operators',
    'operate',
    'leaving',
  ],
  'worker/domain': [
    'challenges',
    'audit',
    'alerts',
    'crm-sync',
    'merchants',
    'invoices',
    'lists',
    'pay-links',
    'mail',
    'payments',
    'pay-page',
    'analytics',
    'write-back',
    'preview',
    'first-hour',
    'mailings',
    'reminders',
    'terminals',
    'installments',
    'refunds',
    'batches',
    'takings',
    'reconciliation',
    'today',
    'content/accounts',
    'content/articles',
    'content/media',
    'content/publishing',
    'tamper-monitor',
    'retention',
    'keys',
    'proofs',
    'clinics',
    'operate',
    'operators',
    'leaving',
  ],
  'worker/http': ['cookies', 'reply', 'read', 'guards', 'middleware'],
  'site/islands/ui': ['api', 'routing', 'form', 'feedback', 'passkey', 'table', 'trail'],
  'site/islands/merchant': [
    'login',
    'api',
    'common',
    'first-hour',
    'onboarding',
    'analytics',
    'mail',
    'lists',
    'refunds',
    'reconciliation',
    'today',
    'batches',
    'payments',
    'takings',
    'reminders',
    'pay-links',
    'customers',
    'installments',
    'preview',
    'terminals',
    'account',
    'finding',
    'shell',
  ],
};

const floorName = (floor: string) => floor.split('/').at(-1);

const roomRules = Object.entries(ROOMS).flatMap(([floor, rooms]) => [
  ...rooms
    .slice(0, -1)
    .map((room, at) =>
      never(
        `room-${floorName(floor)}-${room.replace('/', '-')}`,
        'A room imports only rooms before it in the list of its floor.',
        `^${floor}/${room}/`,
        { path: `^${floor}/(${rooms.slice(at + 1).join('|')})/` },
      ),
    ),
  never(
    `room-${floorName(floor)}-unlisted`,
    'A room has its place in the list of its floor.',
    `^${floor}/(?!(${rooms.join('|')})/)[^/]+/`,
    { path: '.' },
  ),
]);

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that import each other cannot be read one after the other, even where only types form the cycle.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import must name a file that exists.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^cloudflare:', '^astro:', '\\?(url|raw)$'] },
    },
    only('shared-pure', 'Shared code runs in the browser, the Worker and the build.', '^shared/', [
      '^shared/',
      // The tamper monitor's inventory, for people and for the code.
      '^docs/script-inventory\\.json$',
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
    never('pay-page-no-validator', 'The pay page has no room for a validator.', '^site/islands/pay/', {
      path: ['^shared/contracts/(?!payment\\.ts)', npm('zod')],
      dependencyTypesNot: ['type-only'],
    }),
    never('worker-not-outside', 'The Worker knows no simulated world, no site and no tool.', '^worker/', {
      path: '^(sandbox|site|scripts|tests)/',
    }),
    never('sandbox-not-product', 'The simulated world meets the product only over HTTP.', '^sandbox/', {
      path: '^(worker|site|scripts|tests)/',
    }),
    only(
      'domain-pure',
      'Verbs know data, files, ports and shared code: no HTTP, no vendor, no SQL. Mails are written with a tag that has none of these.',
      '^worker/domain/',
      [
        '^shared/',
        '^worker/(domain|data|files)/',
        '^worker/(deps|log)\\.ts$',
        // Operators read it beside their alerts.
        '^docs/runbook\\.md$',
        // A clinic's dependencies, made from its capability key, its migrations, and the error for an unknown clinic.
        '^worker/clinic/(capability-keys|migrations?|no-such-clinic)\\.ts$',
        '^worker/security/(token-cipher|passkeys|popular-passwords)\\.ts$',
        PORT,
        `${npm('hono')}dist/(types/)?helper/html/`,
      ],
    ),
    never(
      'domain-deps-as-types',
      'The domain gets deps as arguments and imports only their types.',
      '^worker/domain/',
      {
        path: '^worker/deps\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    only('data-only-sql', 'Data knows tables and buckets: no verb, no HTTP, no vendor.', '^worker/data/', [
      '^shared/',
      '^worker/data/',
      PORT,
      npm('drizzle-orm'),
    ]),
    never('data-ports-as-types', 'Data stores the words of ports, it calls none.', '^worker/data/', {
      path: PORT,
      dependencyTypesNot: ['type-only'],
    }),
    only('files-alone', 'Code that reads hostile bytes imports nothing else.', '^worker/files/', [
      '^shared/',
      '^worker/files/',
    ]),
    only('security-alone', 'Keys, tokens and permissions know no table, no route and no vendor.', '^worker/security/', [
      '^worker/security/',
      // The names of roles.
      '^shared/contracts/staff/team-values\\.ts$',
      '^node:',
      '^(buffer|crypto)$',
      npm('(jose|@simplewebauthn/server)'),
    ]),
    only('vendor-alone', 'A vendor’s code knows that vendor and the ports it fills.', '^worker/vendors/([^/]+)/', [
      '^shared/',
      '^worker/vendors/($1/|http\\.ts$|(gateway|boarding)-port\\.ts$)',
      npm('zod'),
    ]),
    never(
      'routes-call-verbs',
      'A route calls verbs and plain reads: no vendor, no setting, no SQL.',
      '^worker/routes/',
      {
        path: [NOT_A_PORT, '^worker/(env|app|index)\\.ts$', '^worker/security/token-cipher', npm('drizzle-orm')],
      },
    ),
    never('routes-not-routes', 'Routes never call routes.', '^worker/routes/', { path: '^worker/routes/' }),
    never('http-not-up', 'Code that all routes share knows no route, no vendor and no SQL.', '^worker/http/', {
      path: [NOT_A_PORT, '^worker/(routes|areas)/', '^worker/(app|index)\\.ts$', npm('drizzle-orm')],
    }),
    ...roomRules,
    never(
      'product-not-dev',
      'Deployed code needs no development package. The build’s own view of the database is not deployed.',
      '^(worker|shared|site/(?!content/content-database\\.ts$))',
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
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
