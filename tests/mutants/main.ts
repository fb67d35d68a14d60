import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { allMutants, planFor, sampleOf, textOf } from './all.ts';
import { Broker } from './broker.ts';
import { reportOf } from './report.ts';
import { runMutants } from './run.ts';

/**
 * `node tests/mutants/main.ts --sample 100 --seed 1`. `--only` takes parts of mutants' texts, or `file:line`. `--tests`
 * takes parts of test file paths, to run only some of the nearby tests.
 */
const repeatable = { type: 'string', multiple: true } as const;
const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    only: repeatable,
    tests: repeatable,
  },
});
const all = allMutants();
const { only = [''], tests = [''] } = values;
const selected = all.filter((mutant) =>
  only.some((part) => `${mutant.file}:${mutant.line} ${textOf(mutant)}`.includes(part)),
);
const plan = planFor(sampleOf(selected, Number(values.sample), Number(values.seed))).map((planned) => ({
  ...planned,
  stages: planned.stages.map((files) => files.filter((file) => tests.some((part) => file.includes(part)))),
}));
mkdirSync('tests/.output', { recursive: true });
const [log, fates] = ['tests/.output/mutants.log', 'tests/.output/mutants.json'];
writeFileSync(log, '');
const startedAt = performance.now();
const broker = new Broker(plan);
// Writes the progress so far to a file.
const progress = setInterval(() => writeFileSync(fates, JSON.stringify([...broker.fates.values()], null, 1)), 5000);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await runMutants(plan, broker, (text) => appendFileSync(log, text));
clearInterval(progress);
const report = reportOf(all, plan, broker);
console.log(report.text);
console.log(`${Math.round((performance.now() - startedAt) / 1000)} s, seed ${values.seed}`);
process.exitCode = report.isGood ? 0 : 1;
