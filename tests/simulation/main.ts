import { guards } from '#tests/money/guards';
import { type Asked, readArguments, USAGE } from './cli/arguments.ts';
import { writeFoundTest } from './cli/found-test.ts';
import { runMany } from './cli/many.ts';
import { featureTable, tableOf } from './cli/table.ts';
import { timeLine } from './cli/time-line.ts';
import { neverReached } from './judge/pairs.ts';
import { type MutantRow, mutantTable, STARTS, searchFor, shownHere } from './mutants.ts';
import { bundleProduct } from './product/load.ts';
import { runSeed } from './run.ts';
import { shrink } from './shrink.ts';
import { simulatorOf } from './simulator.ts';

/** From so many seeds on, a pair that was never reached means that the simulation has lost something. */
const ENOUGH_FOR_PAIRS = 5_000;

/** So many seeds of the theme of all features are to meet each pair of them. */
const OFTEN_TOGETHER = 50;

const asked = readOrEnd();
const bundle = await bundleProduct(asked.without.map(guardNamed));
process.exitCode = await obey(asked);

function obey(to: Asked): Promise<number> {
  switch (to.kind) {
    case 'many':
      return many(to);
    case 'one':
      return one(to);
    case 'mutants':
      return mutants(to);
  }
}

async function many({ from, to, minutes, cores, theme }: Asked & { kind: 'many' }): Promise<number> {
  let said = 0;
  const sum = await runMany(bundle, {
    from,
    to,
    minutes,
    cores,
    theme,
    progress({ seeds, failures }, share, seconds) {
      for (const { seed, violations } of share.failures) console.log(`seed ${seed}: ${violations.join('; ')}`);
      if (seconds - said < 10) return;
      said = seconds;
      const found = failures.length > 0 ? `, violations in ${failures.length}` : '';
      console.log(`${seeds} of ${to - from + 1} seeds, ${(seeds / seconds).toFixed(0)} a second${found}`);
    },
  });
  console.log(tableOf(sum));
  if (theme !== null) console.log(featureTable(sum.features, OFTEN_TOGETHER));
  const isBlind = sum.seeds >= ENOUGH_FOR_PAIRS && neverReached(sum.reached).length > 0;
  if (isBlind) console.log('Some pairs were never reached: see above.');
  console.log(`${sum.seeds} seeds, ${sum.failures.length} violations`);
  return isBlind || sum.failures.length > 0 ? 1 : 0;
}

async function one({ seed, theme, isTraced, isShrunk }: Asked & { kind: 'one' }): Promise<number> {
  const simulator = await simulatorOf(bundle);
  const outcome = await runSeed(simulator, seed, { theme, isTraced });
  if (!isShrunk || outcome.violations.length === 0) {
    if (isTraced) console.log(timeLine(outcome));
    else for (const violation of outcome.violations) console.log(violation);
    console.log(`1 seeds, ${outcome.violations.length > 0 ? 1 : 0} violations`);
    return outcome.violations.length > 0 ? 1 : 0;
  }
  const least = await shrink(simulator, outcome, { theme });
  const told = await runSeed(simulator, seed, { decisions: least.decisions, theme, isTraced: true });
  console.log(timeLine(told));
  for (const { key, value } of told.decisions) console.log(`  ${key}: ${JSON.stringify(value)}`);
  console.log(`${outcome.decisions.length} decisions shrunk to ${told.decisions.length}`);
  console.log(`written as ${await writeFoundTest(told)}`);
  console.log('1 seeds, 1 violations');
  return 1;
}

/** Prints each row as soon as it is there; a guard whose absence was not found makes the run fail. */
async function mutants({ minutes }: Asked & { kind: 'mutants' }): Promise<number> {
  const end = performance.now() + minutes * 60_000;
  const rows: MutantRow[] = [];
  for (const mutation of shownHere) {
    const row = await searchFor(mutation, STARTS, { mayGoOn: () => performance.now() < end });
    rows.push(row);
    console.log(`${mutation.name}: ${row.searches.map(({ seeds, tried }) => seeds ?? `not in ${tried}`).join(', ')}`);
  }
  console.log(mutantTable(rows));
  const missed = rows.filter(({ searches }) => searches.some(({ seeds }) => seeds === null));
  console.log(`${rows.length} mutants, ${missed.length} not found`);
  return missed.length > 0 ? 1 : 0;
}

function guardNamed(name: string) {
  const guard = Object.entries(guards).find(([known]) => known === name);
  if (!guard) throw new Error(`no such guard: ${name}; there are ${Object.keys(guards).join(', ')}`);
  return guard[1];
}

function readOrEnd(): Asked {
  try {
    return readArguments(process.argv.slice(2));
  } catch (cause) {
    console.error(`${cause instanceof Error ? cause.message : cause}\n${USAGE}`);
    process.exit(2);
  }
}
