import { table } from '#tests/money/report';
import { accepted } from './accepted.ts';
import { type AnyMutant, type Planned, textOf } from './all.ts';
import type { Broker } from './broker.ts';
import { roomOf } from './rooms.ts';

/** How many of a sample have to be killed, without those that nobody could kill. */
export const MUST_DIE = 0.95;

/** Per room how many there are, were drawn, and died; then each survivor with its place. */
export function reportOf(all: AnyMutant[], plan: Planned[], broker: Broker) {
  const fateOf = (id: number) => broker.fates.get(id);
  const survivors = plan.filter(({ id }) => fateOf(id)?.state === 'alive');
  const isExcused = ({ mutant }: Planned) => accepted.some(({ text }) => text === textOf(mutant));
  const open = survivors.filter((one) => !isExcused(one));
  const names = [...new Set(all.map(({ file }) => roomOf(file)))].sort();
  const rows = names.map((room) => {
    const isIn = ({ mutant }: Planned) => roomOf(mutant.file) === room;
    const drawn = plan.filter(isIn);
    const left = survivors.filter(isIn);
    const mutants = all.filter(({ file }) => roomOf(file) === room).length;
    const excused = left.filter(isExcused).length;
    return [room, mutants, drawn.length, drawn.length - left.length, excused, left.length - excused].map(String);
  });
  const judged = plan.length - (survivors.length - open.length);
  const share = judged === 0 ? 1 : (judged - open.length) / judged;
  const lines = open.map(({ mutant, id, tests }) => {
    const tries = fateOf(id)?.tries ?? 0;
    return `survived ${tries} tests of ${tests.length} files: ${mutant.file}:${mutant.line}\n    ${textOf(mutant)}`;
  });
  const sum = `${judged - open.length} of ${judged} killed (${(share * 100).toFixed(1)} %), ${plan.length - judged} accepted`;
  return {
    isGood: share >= MUST_DIE && broker.broken.length === 0,
    text: [
      table(['room', 'mutants', 'drawn', 'killed', 'accepted', 'survived'], rows),
      ...lines,
      ...broker.broken,
      sum,
    ].join('\n'),
  };
}
