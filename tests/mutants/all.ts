import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { instrument, type Numbered } from './instrument.ts';
import { type HostedMutant, type Mutant, mutantsOf } from './mutate.ts';
import { moneyFiles, type Tests, testsNear, testsOfRooms } from './rooms.ts';
import { moneyEntries, type SchemaMutant, schemaMutants } from './schema.ts';

export type AnyMutant = HostedMutant | SchemaMutant;
export const isOfSchema = (mutant: Mutant): mutant is SchemaMutant => 'entry' in mutant;

/** All mutants of the code and schema that handle money. */
export const allMutants = (): AnyMutant[] => [
  ...moneyFiles().flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8'))),
  ...schemaMutants(),
];

/** Identifies a mutant independently of its line number: its file, the line's text and the change. */
export const textOf = ({ file, line, from, to }: Mutant): string =>
  `${file}: ${readFileSync(file, 'utf8').split('\n')[line - 1]?.trim()} | ${oneLine(from)} -> ${oneLine(to) || 'nothing'}`;

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Draws `count` mutants by a seed. The order depends only on their texts, so code changes barely alter a sample. */
export function sampleOf(mutants: AnyMutant[], count: number, seed: number): AnyMutant[] {
  const drawn = mutants.map((mutant) => ({ mutant, order: hash(`${seed} ${mutant.start} ${textOf(mutant)}`) }));
  return drawn
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** A mutant of a run, with its number and the tests to run on it. */
export type Planned = Tests & { id: number; mutant: AnyMutant };

export function planFor(mutants: AnyMutant[]): Planned[] {
  const near = testsNear();
  return mutants.map((mutant, at) => ({
    id: at + 1,
    mutant,
    ...(isOfSchema(mutant) ? testsOfRooms(moneyEntries[mutant.entry] ?? []) : near(mutant.file)),
  }));
}

/** The product's files with the mutants of a run compiled in, by path. */
export function instrumented(plan: Planned[]): Map<string, string> {
  const byFile = new Map<string, Numbered[]>();
  for (const { id, mutant } of plan)
    if (!isOfSchema(mutant)) byFile.set(mutant.file, [...(byFile.get(mutant.file) ?? []), { ...mutant, id }]);
  // Files without mutants too: they may keep statements that a file with mutants built.
  return new Map(
    moneyFiles().map((file) => [file, instrument(file, readFileSync(file, 'utf8'), byFile.get(file) ?? [])]),
  );
}
