import { expect, test } from 'vitest';
import { directions, runCheck } from '#scripts/checks/commands';
import config, { ROOMS } from '../../.dependency-cruiser.ts';
import { plantTree } from './tree.ts';

const RULES = ['.dependency-cruiser.ts', 'tsconfig.json', 'package.json'];

/** The files that the planted violations import. */
const targets: Record<string, string> = {
  'worker/app.ts': 'export const app = 1;\n',
  'worker/deps.ts': 'export const deps = 1;\n',
  'worker/vendors/hubspot/port.ts': 'export class CrmError extends Error {}\n',
  'worker/vendors/resend/port.ts': 'export type Mail = string;\n',
  'worker/domain/pay.ts': 'export const pay = 1;\n',
  'worker/vendors/http.ts': 'export const http = 1;\n',
  'worker/vendors/resend/resend.ts': 'export const resend = 1;\n',
  'worker/routes/pay.ts': 'export const payRoutes = 1;\n',
  'sandbox/world.ts': 'export const world = 1;\n',
  'site/pages/view.ts': 'export const view = 1;\n',
  'site/islands/ui/button.ts': 'export const button = 1;\n',
  'site/islands/merchant/table.ts': 'export const table = 1;\n',
  'shared/money.ts': 'export const money = 1;\n',
  'shared/contracts/answer.ts': 'export const answer = 1;\n',
  'docs/script-inventory.json': '{}\n',
  'docs/example.json': '{}\n',
};

/** Rule, file and import; each import breaks its rule. */
const violations: [rule: string, file: string, text: string][] = [
  ['no-cycles', 'shared/egg.ts', "export * from './hen.ts';"],
  [
    'no-cycles',
    'worker/data/line.ts',
    "import type { Order } from './order.ts';\nexport type Line = { order: Order };",
  ],
  ['resolvable', 'scripts/lost.ts', "import './gone.ts';"],
  ['shared-pure', 'shared/impure.ts', "import 'node:fs';"],
  ['shared-pure', 'shared/server.ts', "import 'hono';"],
  ['shared-pure', 'shared/read-docs.ts', "import '../docs/example.json';"],
  ['site-not-behind', 'site/islands/pay/behind.ts', "import type { app } from '../../../worker/app.ts';"],
  ['site-not-behind', 'site/islands/pay/behind-by-map.ts', "import '#worker/app';"],
  ['site-not-behind', 'site/islands/pay/server.ts', "import 'hono/html';"],
  ['site-layers', 'site/layouts/upside-down.ts', "import '../pages/view.ts';"],
  ['island-own-area', 'site/islands/pay/neighbour.ts', "import '../merchant/table.ts';"],
  ['pay-page-no-validator', 'site/islands/pay/validate.ts', "import '../../../shared/contracts/answer.ts';"],
  ['worker-not-outside', 'worker/http/reply/outside.ts', "import '#sandbox/world';"],
  ['sandbox-not-product', 'sandbox/inside.ts', "import '#worker/app';"],
  ['domain-pure', 'worker/domain/speak-http.ts', "import 'hono';"],
  ['domain-pure', 'worker/domain/speak-sql.ts', "import 'drizzle-orm';"],
  ['domain-pure', 'worker/domain/call-vendor.ts', "import '../vendors/resend/resend.ts';"],
  ['domain-deps-as-types', 'worker/domain/help-itself.ts', "import { deps } from '../deps.ts';\ndeps;"],
  ['data-only-sql', 'worker/data/decide.ts', "import '../domain/pay.ts';"],
  [
    'data-ports-as-types',
    'worker/data/call.ts',
    "import { CrmError } from '../vendors/hubspot/port.ts';\nnew CrmError();",
  ],
  ['vendor-alone', 'worker/vendors/hubspot/other-vendor.ts', "import '../resend/resend.ts';"],
  ['vendor-alone', 'worker/vendors/hubspot/decide.ts', "import '../../domain/pay.ts';"],
  ['files-alone', 'worker/files/keep.ts', "import '../data/rows.ts';"],
  ['security-alone', 'worker/security/look-up.ts', "import '../data/rows.ts';"],
  ['routes-call-verbs', 'worker/routes/call-vendor.ts', "import '../vendors/resend/resend.ts';"],
  ['routes-not-routes', 'worker/routes/chain.ts', "import './pay.ts';"],
  ['http-not-up', 'worker/http/up.ts', "import '../routes/pay.ts';"],
  ['http-not-up', 'worker/http/read/up.ts', "import '../../routes/pay.ts';"],
  ['product-not-dev', 'worker/http/dev.ts', "import 'vitest';"],
  ['product-not-dev', 'site/content/dev.ts', "import 'miniflare';"],
];

/** Plants in each room an import from the room above, and on each floor a file in an unlisted room. */
for (const [floor, rooms] of Object.entries(ROOMS)) {
  const name = floor.split('/').at(-1);
  for (const [at, room] of rooms.entries()) {
    targets[`${floor}/${room}/target.ts`] = 'export const target = 1;\n';
    const above = rooms[at + 1];
    if (above === undefined) continue;
    const up = '../'.repeat(room.split('/').length);
    violations.push([
      `room-${name}-${room.replace('/', '-')}`,
      `${floor}/${room}/reach-up.ts`,
      `import '${up}${above}/target.ts';`,
    ]);
  }
  violations.push([`room-${name}-unlisted`, `${floor}/nowhere/lost.ts`, `import '../${rooms[0]}/target.ts';`]);
}

const allowed: Record<string, string> = {
  // A cycle is reported once, at its first file.
  'shared/hen.ts': "export * from './egg.ts';",
  'worker/data/order.ts': "import type { Line } from './line.ts';\nexport type Order = { lines: Line[] };",
  'shared/inventory.ts': "import '../docs/script-inventory.json';",
  'site/islands/pay/page.ts': "import '../ui/button.ts';\nimport '#shared/money';\nimport 'react';",
  'worker/domain/verb.ts':
    "import type { deps } from '../deps.ts';\nimport { CrmError } from '../vendors/hubspot/port.ts';\nnew CrmError();",
  'worker/data/rows.ts': "import 'drizzle-orm';\nimport type { Mail } from '../vendors/resend/port.ts';",
  'worker/vendors/hubspot/client.ts': "import '../http.ts';\nimport './port.ts';\nimport 'zod';",
  'worker/routes/view.ts': "import 'hono';\nimport '../domain/pay.ts';",
  'worker/domain/verb.test.ts': "import 'vitest';\nimport '#sandbox/world';\nimport '../app.ts';",
};

test('every import rule reports the import that breaks it and no allowed import', async () => {
  const planted = Object.fromEntries(violations.map(([, file, text]) => [file, text]));
  const tree = plantTree({ ...targets, ...planted, ...allowed }, RULES);

  const { isOk, output } = await runCheck(directions, tree);

  const reported = [...output.matchAll(/error ([\w-]+): (\S+)/g)].map(([, rule, file]) => `${rule} ${file}`);
  const expected = violations.map(([rule, file]) => `${rule} ${file}`);
  expect(isOk).toBe(false);
  expect(new Set(reported)).toEqual(new Set(expected));
});

test('every import rule has a planted violation', () => {
  const names = config.forbidden.map(({ name }) => name);
  expect(new Set(violations.map(([rule]) => rule))).toEqual(new Set(names));
});
