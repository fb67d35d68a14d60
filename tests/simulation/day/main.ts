import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bundleProduct } from '../product/load.ts';
import { chartOf } from './chart.ts';
import { type Day, liveDay } from './day.ts';
import { FULL, SMALL } from './plan.ts';
import { figuresOf, reportOf } from './report.ts';
import { type Result, resultOf } from './result.ts';

/**
 * `npm run bench -- clinics`: the day of a thousand clinics; `--small`: of fifty in two hours. The figures stay in
 * FOLDER with the backlog as a picture; `--again` prints those of the last run.
 */
const FOLDER = 'dist-bench';
const USAGE = 'npm run bench -- clinics [--small | --again]';

const [name, ...more] = process.argv.slice(2);
if (name !== 'clinics' || more.some((word) => !['--small', '--again'].includes(word))) {
  console.error(USAGE);
  process.exit(2);
}

const result: Result = more.includes('--again')
  ? (JSON.parse(readFileSync(`${FOLDER}/clinics.json`, 'utf8')) as Result)
  : await live();
writeFileSync(`${FOLDER}/clinics.svg`, chartOf(result));
console.log(`${reportOf(result)}\n\n${FOLDER}/clinics.svg has the backlog over the day`);
process.exitCode = figuresOf(result).every(({ isMet }) => isMet) ? 0 : 1;

async function live(): Promise<Result> {
  const begun = performance.now();
  mkdirSync(FOLDER, { recursive: true });
  const keep = (day: Day): Result => {
    const seconds = (performance.now() - begun) / 1000;
    const result = resultOf(day, seconds);
    writeFileSync(`${FOLDER}/clinics.json`, JSON.stringify(result));
    const { dayMs, cpu } = result;
    const waits = JSON.stringify(result.samples.at(-1));
    console.log(
      `${seconds.toFixed(0)} s, ${(cpu.dayMs / 1000).toFixed(0)} s of CPU: hour ${(dayMs / 3_600_000).toFixed(1)}, ${waits}`,
    );
    return result;
  };
  return keep(await liveDay(await bundleProduct([]), more.includes('--small') ? SMALL : FULL, { seed: 1, hour: keep }));
}
