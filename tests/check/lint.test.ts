import path from 'node:path';
import { expect, test } from 'vitest';
import { lint, runCheck } from '../../scripts/check-commands.ts';
import { plantTree } from './tree.ts';

const RULES = ['biome.json', 'biome', 'package.json', '.gitignore'];

const named = (tree: string, file: string) => path.relative(tree, path.resolve(tree, file)).replaceAll('\\', '/');

/** The lines that lint objects to, as `file:line rule`. */
async function findings(files: Record<string, string>): Promise<string[]> {
  const tree = plantTree(files, RULES);
  const args = [...lint.args, '--reporter=github', '--formatter-enabled=false', '--assist-enabled=false'];
  const { output } = await runCheck({ ...lint, args }, tree);
  const found = [...output.matchAll(/title=([^,]+),file=([^,]+),line=(\d+)/g)];
  return found.map(([, rule, file = '', line]) => `${named(tree, file)}:${line} ${rule}`).sort();
}

const IMPORTS =
  "import { runToCompletion } from '../middleware/runToCompletion.ts';\nimport { sendMail } from '../domain/send-mail.ts';\n";

const route = (body: string) => `${IMPORTS}export const handle = async (c: never, deps: never) => {\n  ${body}\n};\n`;

test.each([
  ['awaited', 'await sendMail(deps);'],
  ['left alone', 'void sendMail(deps);'],
  ['handed on by name', 'await Promise.resolve(deps).then(sendMail);'],
  ['renamed', 'const go = sendMail;\n  await go(deps);'],
  ['given to the platform by hand', 'c.executionCtx.waitUntil(sendMail(deps));'],
  ['called beside runToCompletion', 'void runToCompletion(c, deps);\n  await sendMail(deps);'],
])('a route may not have a verb that must outlive the request %s', async (_how, body) => {
  const found = await findings({ 'worker/routes/payments/pay.ts': route(body) });
  expect(found.filter((finding) => finding.endsWith(' plugin'))).toHaveLength(1);
});

test('an import may not hide such a verb under another name', async () => {
  const found = await findings({
    'worker/routes/a.ts':
      "import { takePayment as charge } from '../domain/take-payment.ts';\nexport default charge;\n",
    'worker/routes/b.ts': "import * as verbs from '../domain/take-payment.ts';\nexport default verbs;\n",
  });
  expect(found).toEqual(expect.arrayContaining(['worker/routes/a.ts:1 plugin', 'worker/routes/b.ts:1 plugin']));
});

test('inside runToCompletion, and outside the routes, such a verb may be called', async () => {
  const own = `${IMPORTS}export async function settleAndMail(deps: never) {\n  await sendMail(deps);\n}\nexport { runToCompletion };\n`;
  const found = await findings({
    'worker/routes/payments/pay.ts': route('return runToCompletion(c, sendMail(deps));'),
    'worker/routes/chain.ts': route('void runToCompletion(c, Promise.resolve(deps).then(() => sendMail(deps)));'),
    'worker/routes/own.ts': own,
    'worker/domain/run-schedule.ts':
      "import { sendMail } from './send-mail.ts';\nexport const run = () => sendMail();\n",
  });
  expect(found).toEqual([]);
});

test('only the rule of what follows from a payment writes a settlement', async () => {
  const write =
    "import { writeSettlement } from '../../data/payments/attempts.ts';\nexport const go = () => writeSettlement();\n";
  const found = await findings({
    'worker/domain/payments/settle.ts': write,
    'worker/domain/payments/own-way.ts': write,
    'worker/domain/payments/renamed.ts':
      "import { writeSettlement as w } from '../../data/payments/attempts.ts';\nexport const go = () => w();\n",
  });
  expect(found).toEqual(['worker/domain/payments/own-way.ts:2 plugin', 'worker/domain/payments/renamed.ts:1 plugin']);
});

test('a domain verb takes time, chance, ids and the network from its deps', async () => {
  const uses = ['Date.now()', 'new Date()', 'Math.random()', "fetch('/')", 'crypto.randomUUID()'];
  const found = await findings({
    'worker/domain/verb.ts': uses.map((use, index) => `export const a${index} = ${use};\n`).join(''),
    'worker/domain/dates.ts': 'export const day = (at: number) => new Date(at).toISOString();\n',
  });
  expect(found.filter((finding) => finding.endsWith(' plugin'))).toEqual(
    uses.map((_use, index) => `worker/domain/verb.ts:${index + 1} plugin`),
  );
});

test('a page may import neither the Worker nor the simulated world nor a server library', async () => {
  const from = [
    '../../worker/app.ts',
    '#worker/app',
    '../../sandbox/world.ts',
    '#sandbox/world',
    'hono',
    'drizzle-orm/d1',
  ];
  const imports = from.map((source, index) => `import a${index} from '${source}';\n`).join('');
  const uses = from.map((_source, index) => `{a${index}}`).join('');
  const found = await findings({
    'site/pages/bad.astro': `---\n${imports}---\n<p>${uses}</p>\n`,
    'site/pages/good.astro': "---\nimport { operator } from '../../shared/operator.ts';\n---\n<p>{operator.name}</p>\n",
  });
  expect(found).toEqual(
    from.map((_source, index) => `site/pages/bad.astro:${index + 2} lint/style/noRestrictedImports`),
  );
});

test('any, a forgotten promise and a stray console line are errors', async () => {
  const found = await findings({
    'worker/app.ts': [
      'export const loose = (value: any) => value;',
      'const later = async () => 1;',
      'export const forget = () => {',
      '  later();',
      "  console.log('x');",
      '};',
    ].join('\n'),
    'worker/log.ts': "export const log = () => console.log('x');\n",
  });
  expect(found).toEqual([
    'worker/app.ts:1 lint/suspicious/noExplicitAny',
    'worker/app.ts:4 lint/nursery/noFloatingPromises',
    'worker/app.ts:5 lint/suspicious/noConsole',
  ]);
});
