import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { instrument, type NumberedMutant } from './instrument.ts';
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

/** Draws `count` mutants by seed. The order depends only on their texts, so code changes barely alter a sample. */
export function sampleOf(mutants: AnyMutant[], count: number, seed: number): AnyMutant[] {
  const hashed = mutants.map((mutant) => ({ mutant, order: hash(`${seed} ${mutant.start} ${textOf(mutant)}`) }));
  return hashed
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** A mutant of a run, with its number and the tests to run against it. */
export type PlannedMutant = Tests & { id: number; mutant: AnyMutant };

export function planFor(mutants: AnyMutant[]): PlannedMutant[] {
  const testsFor = testsNear();
  return mutants.map((mutant, index) => ({
    id: index + 1,
    mutant,
    ...(isOfSchema(mutant) ? testsOfRooms(moneyEntries[mutant.entry] ?? []) : testsFor(mutant.file)),
  }));
}

/** The product's files with the mutants of a run compiled in, by path. */
export function instrumentFiles(plan: PlannedMutant[]): Map<string, string> {
  const byFile = new Map<string, NumberedMutant[]>();
  for (const { id, mutant } of plan)
    if (!isOfSchema(mutant)) byFile.set(mutant.file, [...(byFile.get(mutant.file) ?? []), { ...mutant, id }]);
  // Includes files without mutants, since they may cache statements that a file with mutants built.
  return new Map(
    moneyFiles().map((file) => [file, instrument(file, readFileSync(file, 'utf8'), byFile.get(file) ?? [])]),
  );
}
