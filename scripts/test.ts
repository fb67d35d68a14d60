import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startProduct } from '#tests/support/product-process';

/**
 * `npm test`: every check and every test, one after the other (two cores), counted from the runners' own reports. The last
 * line is `N passed, N failed`; a runner that leaves no report counts as one failure. Names of parts run only those;
 * `--full` runs them at their stated size instead of the everyday one.
 */
const OUTPUT = path.resolve('tests/.output');
const JOURNEYS = ['whole', 'browser', 'bench'];
const wanted = process.argv.slice(2).filter((name) => name !== '--full');
if (process.argv.includes('--full')) process.env.SIZE = 'full';

type Count = { passed: number; failed: number };

rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(OUTPUT, { recursive: true });

const total: Count = { passed: 0, failed: 0 };
/** Told again at the end, where a long run is read first. */
const failures: string[] = [];
const add = (name: string, count: Count) => {
  total.passed += count.passed;
  total.failed += count.failed;
  console.log(`\n${name}: ${count.passed} passed, ${count.failed} failed\n`);
};
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

if (isWanted('check')) add('check', await check());
// What the unit tests send to the database is replayed afterwards.
const statements = { TILLWAY_STATEMENTS: path.join(OUTPUT, 'sent-statements.json') };
for (const project of ['node', 'unit', 'statements', 'money'])
  if (isWanted(project)) add(project, await vitest(project, statements));
if (JOURNEYS.some(isWanted)) await journeys();

for (const failure of failures) console.log(`failed: ${failure}\n`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);

async function check(): Promise<Count> {
  const report = path.join(OUTPUT, 'check.json');
  const code = await run(['scripts/check.ts', '--report', report]);
  return readCount(report, code, (json: Count) => json);
}

async function vitest(project: string, env: Record<string, string> = {}): Promise<Count> {
  const report = path.join(OUTPUT, `${project}.json`);
  const code = await run(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    env,
  );
  return readCount(report, code, (json: VitestReport) => {
    failures.push(...failuresIn(json));
    return { passed: json.numPassedTests, failed: json.numFailedTests };
  });
}

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

/** Each failed test with the beginning of its reason; a file that failed as a whole names no test. */
function failuresIn({ testResults }: VitestReport): string[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = path.relative('.', name);
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      if (tests.length === 0) return [`${file}\n${message.slice(0, 2000)}`];
      return tests.map((test) => `${file}: ${test.fullName}\n${test.failureMessages.join('\n').slice(0, 2000)}`);
    });
}

/** Journeys through the built product share one that runs as `npm start` brings it up. */
async function journeys(): Promise<void> {
  let product: Awaited<ReturnType<typeof startProduct>>;
  try {
    product = await startProduct();
  } catch (cause) {
    console.error(String(cause));
    add('start', { passed: 0, failed: 1 });
    return;
  }
  const { stop, ...handle } = product;
  const env = { TILLWAY_TEST_PRODUCT: JSON.stringify(handle) };
  for (const project of JOURNEYS) if (isWanted(project)) add(project, await vitest(project, env));
  const code = await stop();
  add('start and stop', code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
}

function run(args: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...env,
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_SEND_METRICS: 'false',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

/** A runner that failed without naming a failed test must not look green. */
function readCount<T>(report: string, code: number, countOf: (json: T) => Count): Count {
  const count = existsSync(report) ? countOf(JSON.parse(readFileSync(report, 'utf8')) as T) : { passed: 0, failed: 0 };
  if (count.failed === 0 && (code !== 0 || count.passed === 0)) return { ...count, failed: 1 };
  return count;
}
