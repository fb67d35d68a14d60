import { writeFileSync } from 'node:fs';
import { type Check, checks, type Outcome, runCheck } from './checks/commands.ts';

/**
 * `npm run check`: all static checks of the tree. Prints one line per check and the output of failed ones. `--report
 * file.json` writes the counts to a file.
 */
const flag = process.argv.indexOf('--report');
const report = flag > 0 ? process.argv[flag + 1] : undefined;

async function runAndPrint(check: Check): Promise<Outcome> {
  const outcome = await runCheck(check, process.cwd());
  console.log(`${outcome.isOk ? 'ok    ' : 'failed'} ${outcome.name}`);
  if (!outcome.isOk || check.isVerbose) console.log(outcome.output.trimEnd());
  return outcome;
}

const queue = [...checks];
const outcomes: Outcome[] = [];

async function runQueue(): Promise<void> {
  for (let check = queue.shift(); check; check = queue.shift()) outcomes.push(await runAndPrint(check));
}

await Promise.all([runQueue(), runQueue()]);

const failed = outcomes.filter(({ isOk }) => !isOk).length;
const names = Object.fromEntries(outcomes.map(({ name, isOk }) => [name, isOk ? 'ok' : 'failed']));
if (report) writeFileSync(report, `${JSON.stringify({ passed: outcomes.length - failed, failed, names }, null, 2)}\n`);
process.exitCode = failed > 0 ? 1 : 0;
