import { featureCounts } from '../judge/features.ts';
import { neverReached, pairsExpected } from '../judge/pairs.ts';
import type { Counts } from '../judge/reached.ts';
import type { Wait } from '../judge/waits.ts';
import type { Feature } from '../world/story.ts';
import type { Share } from './worker.ts';

const listed = (counts: Counts) =>
  Object.entries(counts)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, n]) => `${name} ${n}`);

/** Lines of at most 120 characters. */
function wrapped(title: string, words: string[]): string {
  const lines = [`${title}:`];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length > 117) lines.push(`  ${word}`);
    else lines[lines.length - 1] = `${last}${last.endsWith(':') ? ' ' : ', '}${word}`;
  }
  return lines.join('\n');
}

/** The percentile `share` of times in ms, in seconds; `-` if there are none. */
function percentile(numbers: number[], share: number): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))];
  return at === undefined ? '-' : `${(at / 1000).toFixed(1)} s`;
}

/** All of these waits, then only those that a program could have ended; the others are counted by their reason. */
function waitLines(what: string, waits: Wait[]): string[] {
  const reasons = Object.entries(Object.groupBy(waits, ({ onlyAPerson }) => onlyAPerson ?? ''))
    .filter(([reason]) => reason !== '')
    .map(([reason, some]) => `${some?.length} ${reason}`)
    .sort();
  const decidable = waits.filter(({ onlyAPerson }) => onlyAPerson === null);
  return [
    waitLine(what, waits),
    waitLine('    that a program may decide', decidable),
    ...(reasons.length > 0 ? [wrapped('    left out here, since only a person may decide', reasons)] : []),
  ];
}

function waitLine(what: string, waits: Wait[]): string {
  const numbers = waits.map(({ ms }) => ms);
  const never = waits.filter(({ isTold }) => !isTold);
  const before = never.filter(({ isWithAPerson }) => isWithAPerson).length;
  return [
    `${what}: told after p50 ${percentile(numbers, 50)}, p99 ${percentile(numbers, 99)}, n ${waits.length},`,
    `${never.length} never while they waited (${before} before a person)`,
  ].join(' ');
}

/** Limit for listing names: a small run misses too many to list them. */
const MOST_NAMED = 150;

/** How often payment features were reached, and the pairs of them that were reached least. */
export function featureTable(runs: Feature[][], enough: number): string {
  const counts = [...featureCounts(runs)];
  const pairs = counts.filter(([name]) => name.includes(' + ')).sort(([, a], [, b]) => a - b);
  const rare = pairs.filter(([, n]) => n < enough);
  const said = (some: [string, number][]) => some.map(([name, n]) => `${name} ${n}`);
  return [
    wrapped('Features', said(counts.filter(([name]) => !name.includes(' + ')))),
    `Pairs at one invoice: ${pairs.length - rare.length} of ${pairs.length} in ${enough} seeds or more`,
    ...(rare.length > 0 ? [wrapped(`In fewer than ${enough}`, said(rare.slice(0, MOST_NAMED)))] : []),
  ].join('\n');
}

/** Coverage of the seeds, for the reader and for the check that nothing was missed. */
export function tableOf({ reached, waits, steps, seeds }: Share): string {
  const missing = neverReached(reached);
  const pairs = missing.filter((name) => name.includes(' x '));
  const all = pairsExpected().length;
  return [
    wrapped('States', listed(reached.states)),
    wrapped('Moves', listed(reached.moves)),
    wrapped('Faults', listed(reached.faults)),
    `State x fault: ${all - pairs.length} of ${all} pairs reached`,
    ...(missing.length > 0 && missing.length <= MOST_NAMED ? [wrapped('Never reached', missing)] : []),
    ...waitLines('Charged payers at open pages', waits),
    ...waitLines(
      '  where the gateway answered every call',
      waits.filter(({ isAnswered }) => isAnswered),
    ),
    `${Math.round(steps / Math.max(1, seeds))} steps a seed`,
  ].join('\n');
}
