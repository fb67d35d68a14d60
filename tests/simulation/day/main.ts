import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bundleProduct } from '../product/load.ts';
import { chartOf } from './chart.ts';
import { liveDay } from './day.ts';
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
  const seconds = () => (performance.now() - begun) / 1000;
  const progress = (what: string) => console.log(`${seconds().toFixed(0)} s: ${what}`);
  const day = await liveDay(await bundleProduct([]), more.includes('--small') ? SMALL : FULL, { seed: 1, progress });
  const lived = resultOf(day, seconds());
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}/clinics.json`, JSON.stringify(lived));
  return lived;
}
