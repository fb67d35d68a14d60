import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { type Product, type RunningProduct, startProduct } from '#tests/support/product/product-process';
import { forget, onStopRequest, startGroup, stopAll } from './local/processes.ts';
import { JOURNEYS, journeysAfter, readJourneys } from './run-tests/journeys.ts';
import { makeMemoryFolder } from './run-tests/memory-folder.ts';
import {
  alone,
  BROWSER_WORKERS,
  describeSkipped,
  isFullSize,
  isInTurn,
  journeys,
  type Part,
  parallel,
  readArguments,
  runInPairs,
  type TestRequest,
} from './run-tests/parts.ts';
import { type Count, countChecks, countTests, oneFailure } from './run-tests/reports.ts';
import { readChanges, type Selected, type Selection, select } from './run-tests/selection.ts';

/**
 * `npm test`: the checks, all unit tests, the core of the journeys and those that the change affects; `--landing`: all
 * files; `npm run test:all`: everything at full size. Counted from the runners' own reports; the last line is
 * `N passed, N failed`. Names of parts, files, `-t` and `--shard` restrict the run.
 */
const OUTPUT = path.resolve('tests/.output');

let isEnding = false;
onStopRequest((signal) => {
  if (isEnding) return;
  isEnding = true;
  console.log(`ended by ${signal}: nothing is counted`);
  void stopAll().then(() => process.exit(128 + constants.signals[signal]));
});

const memory = makeMemoryFolder();
if (memory) {
  process.env.TMPDIR = memory;
  process.on('exit', () => rmSync(memory, { recursive: true, force: true, maxRetries: 3 }));
}

const request = readOrEnd();
const selection = request.size === 'everyday' ? selectOrEnd(request.base) : null;
rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(OUTPUT, { recursive: true });

type Done = Count & { name: string; seconds: number };
const results: Done[] = [];
const startedAt = performance.now();
const products: Promise<RunningProduct>[] = [];

if (request.files.length > 0) {
  // One file needs only one worker and one product.
  const env: Record<string, string> = request.files.length === 1 ? { VITEST_MAX_WORKERS: '1' } : {};
  await runPart('files', () => vitest('files', request.files, env));
} else {
  const requestedOf = (list: Part[]) => list.filter((part) => request.parts.includes(part));
  const queue = requestedOf(parallel);
  const isAlone = isInTurn(queue);
  await runInPairs(queue, (part) => runPart(part, () => countOf(part, isAlone)));
  for (const part of requestedOf(alone)) await runPart(part, () => countOf(part, true));
}
await stopProducts();

if (request.size === 'complete') keepJourneys();

for (const failure of results.flatMap(({ failures }) => failures)) console.log(`failed: ${failure}\n`);
for (const { name, passed, failed, seconds } of results)
  console.log(`${name.padEnd(14)} ${Math.round(seconds)} s: ${passed} passed, ${failed} failed`);
console.log(`in all ${Math.round(secondsSince(startedAt))} s`);
for (const line of selection?.omissions ?? []) console.log(line);
if (selection) console.log('left to npm test -- --landing: everything that no change affects');
const summary = describeSkipped(request, new Map(results.map(({ name, skipped }) => [name, skipped])));
if (summary) console.log(summary);
const total = (key: 'passed' | 'failed') => results.reduce((sum, count) => sum + count[key], 0);
const hasNoMatch = request.name !== null && total('passed') + total('failed') === 0;
if (hasNoMatch) console.log(`No test has "${request.name}" in its name.`);
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exit(total('failed') > 0 || hasNoMatch ? 1 : 0);

/** A test file itself, or all test files of a folder. */
function testsIn(name: string): string[] {
  const stats = statSync(name, { throwIfNoEntry: false });
  const files = stats?.isDirectory()
    ? readdirSync(name, { recursive: true, encoding: 'utf8' }).map((file) => path.join(name, file))
    : stats
      ? [name]
      : [];
  return files.filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules'));
}

function readOrEnd(): TestRequest {
  return orEnd(() => readArguments(process.argv.slice(2), testsIn));
}

function selectOrEnd(base: string | null): Selection {
  return orEnd(() => select(readChanges(base), readJourneys()));
}

function orEnd<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
    process.exit(1);
  }
}

/** The vitest arguments for the selected files of a part. */
function filesOf(part: Part): string[] {
  const files = selection?.files[part as Selected] ?? [];
  const excluded = part === 'node' ? (selection?.rehearsals ?? []) : [];
  return ['--project', part, ...files, ...excluded.map((file) => `--exclude=${file}`)];
}

async function runPart(name: string, run: () => Promise<Count>): Promise<void> {
  // Start no further part after the run was ended.
  if (isEnding) await new Promise(() => undefined);
  console.log(`${name}: begins`);
  const from = performance.now();
  const count = await run();
  results.push({ name, ...count, seconds: secondsSince(from) });
  console.log(`\n${name}: ${count.passed} passed, ${count.failed} failed\n`);
}

async function countOf(part: Part, isAlone: boolean): Promise<Count> {
  if (part === 'check') {
    const report = path.join(OUTPUT, 'check.json');
    return countChecks({ report, code: await runNode(['scripts/check.ts', '--report', report], {}, isAlone) });
  }
  if (!journeys.includes(part)) return vitest(part, filesOf(part), {}, isAlone);
  try {
    const env = { TILLWAY_TEST_PRODUCTS: JSON.stringify(await handlesOf(part === 'browser' ? BROWSER_WORKERS : 1)) };
    return await vitest(part, filesOf(part), env, isAlone);
  } catch (cause) {
    console.error(String(cause));
    return oneFailure;
  }
}

/** One product for each worker of a part. Running products are reused. */
async function handlesOf(count: number): Promise<Product[]> {
  while (products.length < count) products.push(startProduct());
  const running = await Promise.all(products.slice(0, count));
  return running.map(({ stop: _stop, ...handle }) => handle);
}

/** Stopping a product is a test too: it must leave no process and exit with 0. */
async function stopProducts(): Promise<void> {
  const running = (await Promise.allSettled(products)).flatMap((product) =>
    product.status === 'fulfilled' ? [product.value] : [],
  );
  if (running.length === 0) return;
  await runPart('start and stop', async () => {
    const codes = await Promise.all(running.map((product) => product.stop()));
    const failed = codes.filter((code) => code !== 0).length;
    return { ...oneFailure, passed: codes.length - failed, failed };
  });
}

async function vitest(name: string, files: string[], env: Record<string, string> = {}, isAlone = true): Promise<Count> {
  const report = path.join(OUTPUT, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const nameFilter = request.name === null ? [] : ['-t', request.name];
  const shardOption = request.shard === null ? [] : [`--shard=${request.shard}`];
  const code = await runNode(
    ['node_modules/vitest/vitest.mjs', 'run', ...files, ...nameFilter, ...shardOption, ...reporters],
    {
      // The statements replay the SQL that the unit tests send; mutants run unit tests too, and must not record theirs.
      ...(request.parts.includes('statements') && (name === 'unit' || name === 'statements')
        ? { TILLWAY_STATEMENTS: path.join(OUTPUT, 'sent-statements.json') }
        : {}),
      ...(isFullSize(request, name) ? { SIZE: 'full' } : {}),
      // One of two parts at a time has one core.
      ...(isAlone ? {} : { VITEST_MAX_WORKERS: '1' }),
      ...env,
    },
    isAlone,
  );
  return countTests({ report, code, mayBeEmpty: request.name !== null });
}

/** Stores the sources that this run's journeys used, for the selection of the next everyday run. */
function keepJourneys(): void {
  writeFileSync(JOURNEYS, `${JSON.stringify(journeysAfter(readJourneys()), null, 2)}\n`);
}

/** A part that runs beside others prints its output at the end. */
function runNode(args: string[], env: Record<string, string>, isAlone: boolean): Promise<number> {
  const child = startGroup(process.execPath, args, {
    stdio: ['ignore', isAlone ? 'inherit' : 'pipe', isAlone ? 'inherit' : 'pipe'],
    env: {
      ...process.env,
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
      ...env,
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_SEND_METRICS: 'false',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => output.push(data));
  return new Promise((resolve) =>
    child.once('close', (code) => {
      forget(child);
      process.stdout.write(Buffer.concat(output));
      // The counts of an ended run mean nothing.
      if (!isEnding) resolve(code ?? 1);
    }),
  );
}

function secondsSince(from: number): number {
  return (performance.now() - from) / 1000;
}
