import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bundleProduct } from '../product/load.ts';
import { chartOf } from './chart.ts';
import { type Day, runDay } from './day.ts';
import { FULL, SMALL } from './plan.ts';
import { figuresOf, reportOf } from './report.ts';
import { type Result, resultOf } from './result.ts';

/**
 * `npm run bench -- clinics`: the day of a thousand clinics; `--small`: two hours of fifty. FOLDER receives the figures
 * and a picture of the backlog; `--again` prints the figures of the last run.
 */
const FOLDER = 'dist-bench';
const USAGE = 'npm run bench -- clinics [--small | --again]';

const [name, ...flags] = process.argv.slice(2);
if (name !== 'clinics' || flags.some((flag) => !['--small', '--again'].includes(flag))) {
  console.error(USAGE);
  process.exit(2);
}

const result: Result = flags.includes('--again')
  ? (JSON.parse(readFileSync(`${FOLDER}/clinics.json`, 'utf8')) as Result)
  : await runAndStore();
writeFileSync(`${FOLDER}/clinics.svg`, chartOf(result));
console.log(`${reportOf(result)}\n\n${FOLDER}/clinics.svg has the backlog over the day`);
process.exitCode = figuresOf(result).every(({ isMet }) => isMet) ? 0 : 1;

async function runAndStore(): Promise<Result> {
  const startedAt = performance.now();
  mkdirSync(FOLDER, { recursive: true });
  const storeResult = (day: Day): Result => {
    const seconds = (performance.now() - startedAt) / 1000;
    const result = resultOf(day, seconds);
    writeFileSync(`${FOLDER}/clinics.json`, JSON.stringify(result));
    const { dayMs, cpu } = result;
    const backlog = JSON.stringify(result.samples.at(-1));
    console.log(
      `${seconds.toFixed(0)} s, ${(cpu.dayMs / 1000).toFixed(0)} s of CPU: ` +
        `hour ${(dayMs / 3_600_000).toFixed(1)}, ${backlog}`,
    );
    return result;
  };
  const size = flags.includes('--small') ? SMALL : FULL;
  return storeResult(await runDay(await bundleProduct([]), size, { seed: 1, hour: storeResult }));
}
