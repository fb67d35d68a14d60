import { writeFileSync } from 'node:fs';
import { type Check, checks, type Outcome, runCheck } from './checks/commands.ts';

/**
 * `npm run check`: all static checks of the tree. Prints one line per check and the output of failed ones. `--report
 * file.json` writes the counts to a file.
 */
const flag = process.argv.indexOf('--report');
const report = flag > 0 ? process.argv[flag + 1] : undefined;

async function runAndSay(check: Check): Promise<Outcome> {
  const outcome = await runCheck(check, process.cwd());
  console.log(`${outcome.isOk ? 'ok    ' : 'failed'} ${outcome.name}`);
  if (!outcome.isOk || check.isTold) console.log(outcome.output.trimEnd());
  return outcome;
}

const waiting = [...checks];
const outcomes: Outcome[] = [];

async function inTurn(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) outcomes.push(await runAndSay(check));
}

await Promise.all([inTurn(), inTurn()]);

const failed = outcomes.filter(({ isOk }) => !isOk).length;
const names = Object.fromEntries(outcomes.map(({ name, isOk }) => [name, isOk ? 'ok' : 'failed']));
if (report) writeFileSync(report, `${JSON.stringify({ passed: outcomes.length - failed, failed, names }, null, 2)}\n`);
process.exitCode = failed > 0 ? 1 : 0;
