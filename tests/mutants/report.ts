import { table } from '#tests/money/report';
import { acceptedMutants } from './accepted.ts';
import { type AnyMutant, type PlannedMutant, textOf } from './all.ts';
import type { Broker } from './broker.ts';
import { roomOf } from './rooms.ts';

/** Smallest share of a sample that the tests must kill, not counting the accepted mutants. */
export const MIN_KILLED_SHARE = 0.95;

/** A table of the mutants per room (existing, drawn, killed), followed by each survivor with its location. */
export function reportOf(all: AnyMutant[], plan: PlannedMutant[], broker: Broker) {
  const fateOf = (id: number) => broker.fates.get(id);
  const survivors = plan.filter(({ id }) => fateOf(id)?.state === 'alive');
  const isExcused = ({ mutant }: PlannedMutant) => acceptedMutants.some(({ text }) => text === textOf(mutant));
  const unexcused = survivors.filter((planned) => !isExcused(planned));
  const names = [...new Set(all.map(({ file }) => roomOf(file)))].sort();
  const rows = names.map((room) => {
    const isIn = ({ mutant }: PlannedMutant) => roomOf(mutant.file) === room;
    const plannedInRoom = plan.filter(isIn);
    const survivorsInRoom = survivors.filter(isIn);
    const mutants = all.filter(({ file }) => roomOf(file) === room).length;
    const excused = survivorsInRoom.filter(isExcused).length;
    const survived = survivorsInRoom.length;
    const planned = plannedInRoom.length;
    return [room, mutants, planned, planned - survived, excused, survived - excused].map(String);
  });
  const judgedCount = plan.length - (survivors.length - unexcused.length);
  const share = judgedCount === 0 ? 1 : (judgedCount - unexcused.length) / judgedCount;
  const lines = unexcused.map(({ mutant, id, tests }) => {
    const tries = fateOf(id)?.tries ?? 0;
    return `survived ${tries} tests of ${tests.length} files: ${mutant.file}:${mutant.line}\n    ${textOf(mutant)}`;
  });
  const killedCount = judgedCount - unexcused.length;
  const percent = (share * 100).toFixed(1);
  const summary = `${killedCount} of ${judgedCount} killed (${percent} %), ${plan.length - judgedCount} accepted`;
  return {
    isGood: share >= MIN_KILLED_SHARE && broker.problems.length === 0,
    text: [
      table(['room', 'mutants', 'drawn', 'killed', 'accepted', 'survived'], rows),
      ...lines,
      ...broker.problems,
      summary,
    ].join('\n'),
  };
}
