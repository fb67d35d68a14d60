import path from 'node:path';
import { expect, test } from 'vitest';
import { lint, runCheck } from '#scripts/checks/commands';
import { plantTree } from './tree.ts';

const RULES = ['biome.json', 'biome', 'package.json', '.gitignore'];

const relative = (tree: string, file: string) => path.relative(tree, path.resolve(tree, file)).replaceAll('\\', '/');

/** The lines that lint reports, as `file:line rule`. */
async function findings(files: Record<string, string>): Promise<string[]> {
  const tree = plantTree(files, RULES);
  const args = [...lint.args, '--reporter=github', '--formatter-enabled=false', '--assist-enabled=false'];
  const { output } = await runCheck({ ...lint, args }, tree);
  const annotations = [...output.matchAll(/title=([^,]+),file=([^,]+),line=(\d+)/g)];
  return annotations.map(([, rule, file = '', line]) => `${relative(tree, file)}:${line} ${rule}`).sort();
}

const route = (body: string) =>
  [
    "import { sendMail } from '../domain/send-mail.ts';",
    "import { runToCompletion } from '../http/run-to-completion.ts';",
    'export const handle = async (c: never, deps: never) => {',
    `  ${body}`,
    '  return runToCompletion(c, sendMail(deps));',
    '};\n',
  ].join('\n');

test.each([
  ['ignored with void', 'void sendMail(deps);'],
  ['ignored with its failure', 'sendMail(deps).catch(() => undefined);'],
  ['chained', 'sendMail(deps).then(() => sendMail(deps)).finally(() => undefined);'],
  ['passed to waitUntil directly', 'c.executionCtx.waitUntil(sendMail(deps));'],
  ['called beside runToCompletion', 'void runToCompletion(c, deps);'],
])('a route reports a call that its response does not wait for: %s', async (_label, body) => {
  const hits = await findings({ 'worker/routes/payments/pay.ts': route(body) });
  expect(hits.filter((finding) => finding.endsWith(' plugin'))).toEqual(['worker/routes/payments/pay.ts:4 plugin']);
});

test('a route may await a call or pass it to runToCompletion, and other layers are unrestricted', async () => {
  const hits = await findings({
    'worker/routes/payments/awaits.ts': route('await sendMail(deps);'),
    'worker/routes/chain.ts': route('runToCompletion(c, Promise.resolve(deps).then(() => sendMail(deps)));'),
    'worker/http/reply/stream.ts':
      "import { close } from './close.ts';\nexport const end = () => {\n  void close();\n};\n",
  });
  expect(hits).toEqual([]);
});

test('only the settle rule may write a settlement', async () => {
  const write =
    "import { writeSettlement } from '#worker/data/payments/attempts';\nexport const go = () => writeSettlement();\n";
  const hits = await findings({
    'worker/domain/payments/settle.ts': write,
    'worker/domain/payments/own-way.ts': write,
    'worker/domain/payments/renamed.ts':
      "import { writeSettlement as w } from '#worker/data/payments/attempts';\nexport const go = () => w();\n",
  });
  expect(hits).toEqual(['worker/domain/payments/own-way.ts:2 plugin', 'worker/domain/payments/renamed.ts:1 plugin']);
});

test('a day or time that people read must be formatted by a shared formatter', async () => {
  const uses = [
    'at.toISOString().slice(0, 10)',
    'at.getUTCDay()',
    "at.toLocaleDateString('en-US')",
    "new Intl.DateTimeFormat('en-US')",
  ];
  const body = uses.map((use, index) => `export const a${index} = (at: Date) => ${use};\n`).join('');
  const hits = await findings({
    'worker/routes/own-day.ts': body,
    'site/islands/merchant/own-day.ts': body,
    'site/islands/ui/format-moment.ts': body,
    'shared/text/local-day.ts': body,
  });
  expect(hits.filter((finding) => finding.endsWith(' plugin'))).toEqual(
    ['site/islands/merchant', 'worker/routes'].flatMap((room) =>
      uses.map((_use, index) => `${room}/own-day.ts:${index + 1} plugin`),
    ),
  );
});

test('a domain function must take time, randomness, ids and network from its deps', async () => {
  const uses = ['Date.now()', 'new Date()', 'Math.random()', "fetch('/')", 'crypto.randomUUID()'];
  const hits = await findings({
    'worker/domain/verb.ts': uses.map((use, index) => `export const a${index} = ${use};\n`).join(''),
    'worker/domain/dates.ts': 'export const day = (at: number) => new Date(at).toISOString();\n',
  });
  expect(hits.filter((finding) => finding.endsWith(' plugin'))).toEqual(
    uses.map((_use, index) => `worker/domain/verb.ts:${index + 1} plugin`),
  );
});

test('a page must not import the Worker, the sandbox or a server library', async () => {
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
  const hits = await findings({
    'site/pages/bad.astro': `---\n${imports}---\n<p>${uses}</p>\n`,
    'site/pages/good.astro': "---\nimport { operator } from '#shared/operator';\n---\n<p>{operator.name}</p>\n",
  });
  expect(hits).toEqual(
    from.map((_source, index) => `site/pages/bad.astro:${index + 2} lint/style/noRestrictedImports`),
  );
});

test('an import must not climb more than one folder', async () => {
  const twice = "import { a } from '../../money.ts';\nexport const b = a;\n";
  const hits = await findings({
    'shared/contracts/lists/twice.ts': twice,
    'shared/contracts/once.ts': twice.replace('../../', '../'),
    'site/pages/app/twice.astro': "---\nimport Page from '../../layouts/Page.astro';\n---\n<Page />\n",
  });
  expect(hits).toEqual([
    'shared/contracts/lists/twice.ts:1 lint/style/noRestrictedImports',
    'site/pages/app/twice.astro:2 lint/style/noRestrictedImports',
  ]);
});

test('an object literal must not be spread directly into another literal', async () => {
  const hits = await findings({
    'shared/spread.ts':
      'const a = 1;\nexport const b = { c: 2, ...{ a, d: 3 } };\nexport const e = { ...(a ? { a } : {}) };\n',
  });
  expect(hits).toEqual(['shared/spread.ts:2 plugin']);
});

test('any, a floating promise and a stray console line are errors', async () => {
  const hits = await findings({
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
  expect(hits).toEqual([
    'worker/app.ts:1 lint/suspicious/noExplicitAny',
    'worker/app.ts:4 lint/nursery/noFloatingPromises',
    'worker/app.ts:5 lint/suspicious/noConsole',
  ]);
});
