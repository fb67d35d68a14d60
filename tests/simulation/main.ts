import { guards } from '#tests/money/guards';
import { type Command, readArguments, USAGE } from './cli/arguments.ts';
import { writeFoundTest } from './cli/found-test.ts';
import { runMany } from './cli/many.ts';
import { featureTable, tableOf } from './cli/table.ts';
import { timeLine } from './cli/time-line.ts';
import { unreachedNames } from './judge/pairs.ts';
import { guardsTestedHere, type MutantRow, mutantTable, STARTS, searchFor } from './mutants.ts';
import { bundleProduct } from './product/load.ts';
import { runSeed } from './run.ts';
import { shrink } from './shrink.ts';
import { simulatorOf } from './simulator.ts';

/** Number of seeds after which an unreached pair means that the simulation lost coverage. */
const MIN_SEEDS_FOR_PAIRS = 5_000;

/** Number of seeds of the theme `everything` that should reach each pair of features. */
const MIN_SEEDS_PER_PAIR = 50;

const command = readCommand();
const bundle = await bundleProduct(command.without.map(guardNamed));
process.exitCode = await execute(command);

function execute(command: Command): Promise<number> {
  switch (command.kind) {
    case 'many':
      return runRange(command);
    case 'one':
      return runOne(command);
    case 'mutants':
      return runMutants(command);
  }
}

async function runRange({ from, to, minutes, cores, theme }: Command & { kind: 'many' }): Promise<number> {
  let printedAt = 0;
  const sum = await runMany(bundle, {
    from,
    to,
    minutes,
    cores,
    theme,
    progress({ seeds, failures }, share, seconds) {
      for (const { seed, violations } of share.failures) console.log(`seed ${seed}: ${violations.join('; ')}`);
      if (seconds - printedAt < 10) return;
      printedAt = seconds;
      const suffix = failures.length > 0 ? `, violations in ${failures.length}` : '';
      console.log(`${seeds} of ${to - from + 1} seeds, ${(seeds / seconds).toFixed(0)} a second${suffix}`);
    },
  });
  console.log(tableOf(sum));
  if (theme !== null) console.log(featureTable(sum.features, MIN_SEEDS_PER_PAIR));
  const hasGaps = sum.seeds >= MIN_SEEDS_FOR_PAIRS && unreachedNames(sum.reached).length > 0;
  if (hasGaps) console.log('Some pairs were never reached; see above.');
  console.log(`${sum.seeds} seeds, ${sum.failures.length} violations`);
  return hasGaps || sum.failures.length > 0 ? 1 : 0;
}

async function runOne({ seed, theme, isTraced, isShrunk }: Command & { kind: 'one' }): Promise<number> {
  const simulator = await simulatorOf(bundle);
  const outcome = await runSeed(simulator, seed, { theme, isTraced });
  if (!isShrunk || outcome.violations.length === 0) {
    if (isTraced) console.log(timeLine(outcome));
    else for (const violation of outcome.violations) console.log(violation);
    console.log(`1 seeds, ${outcome.violations.length > 0 ? 1 : 0} violations`);
    return outcome.violations.length > 0 ? 1 : 0;
  }
  const shortest = await shrink(simulator, outcome, { theme });
  const replay = await runSeed(simulator, seed, { decisions: shortest.decisions, theme, isTraced: true });
  console.log(timeLine(replay));
  for (const { key, value } of replay.decisions) console.log(`  ${key}: ${JSON.stringify(value)}`);
  console.log(`${outcome.decisions.length} decisions shrunk to ${replay.decisions.length}`);
  console.log(`written as ${await writeFoundTest(replay)}`);
  console.log('1 seeds, 1 violations');
  return 1;
}

/** Prints each row as soon as it is known. The run fails if the absence of a guard was not found. */
async function runMutants({ minutes }: Command & { kind: 'mutants' }): Promise<number> {
  const end = performance.now() + minutes * 60_000;
  const rows: MutantRow[] = [];
  for (const mutation of guardsTestedHere) {
    const row = await searchFor(mutation, STARTS, { canContinue: () => performance.now() < end });
    rows.push(row);
    console.log(`${mutation.name}: ${row.searches.map(({ seeds, tried }) => seeds ?? `not in ${tried}`).join(', ')}`);
  }
  console.log(mutantTable(rows));
  const missed = rows.filter(({ searches }) => searches.some(({ seeds }) => seeds === null));
  console.log(`${rows.length} mutants, ${missed.length} not found`);
  return missed.length > 0 ? 1 : 0;
}

function guardNamed(name: string) {
  const guard = Object.entries(guards).find(([guardName]) => guardName === name);
  if (!guard) throw new Error(`unknown guard ${name}; the guards are ${Object.keys(guards).join(', ')}`);
  return guard[1];
}

function readCommand(): Command {
  try {
    return readArguments(process.argv.slice(2));
  } catch (cause) {
    console.error(`${cause instanceof Error ? cause.message : cause}\n${USAGE}`);
    process.exit(2);
  }
}
