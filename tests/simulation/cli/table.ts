import { featureCounts } from '../judge/features.ts';
import { expectedPairs, unreachedNames } from '../judge/pairs.ts';
import type { Counts } from '../judge/reached.ts';
import type { Wait } from '../judge/waits.ts';
import type { Feature } from '../world/story.ts';
import type { Share } from './worker.ts';

const listCounts = (counts: Counts) =>
  Object.entries(counts)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, n]) => `${name} ${n}`);

/** A title and words, wrapped into lines of at most 120 characters. */
function wrap(title: string, words: string[]): string {
  const lines = [`${title}:`];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length > 117) lines.push(`  ${word}`);
    else lines[lines.length - 1] = `${last}${last.endsWith(':') ? ' ' : ', '}${word}`;
  }
  return lines.join('\n');
}

/** The percentile `share` of times in ms, in seconds; `-` if there are none. */
function percentile(times: number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))];
  return value === undefined ? '-' : `${(value / 1000).toFixed(1)} s`;
}

/** Lines for all waits, then for those that a program may end; the rest are counted by reason. */
function waitLines(title: string, waits: Wait[]): string[] {
  const reasons = Object.entries(Object.groupBy(waits, ({ manualReason }) => manualReason ?? ''))
    .filter(([reason]) => reason !== '')
    .map(([reason, group]) => `${group?.length} ${reason}`)
    .sort();
  const decidable = waits.filter(({ manualReason }) => manualReason === null);
  return [
    waitLine(title, waits),
    waitLine('    that a program may decide', decidable),
    ...(reasons.length > 0 ? [wrap('    excluded here, since only a person may decide', reasons)] : []),
  ];
}

function waitLine(title: string, waits: Wait[]): string {
  const times = waits.map(({ ms }) => ms);
  const unresolved = waits.filter(({ isResolved }) => !isResolved);
  const inReview = unresolved.filter(({ isInReview }) => isInReview).length;
  return [
    `${title}: result shown after p50 ${percentile(times, 50)}, p99 ${percentile(times, 99)}, n ${waits.length},`,
    `${unresolved.length} never while the payer waited (${inReview} in manual review)`,
  ].join(' ');
}

/** Maximum number of names to list; a small run misses too many. */
const MAX_NAMES = 150;

/** How often payment features were reached, and the pairs of them that were reached least. */
export function featureTable(runs: Feature[][], enough: number): string {
  const counts = [...featureCounts(runs)];
  const pairs = counts.filter(([name]) => name.includes(' + ')).sort(([, a], [, b]) => a - b);
  const rare = pairs.filter(([, n]) => n < enough);
  const listPairs = (entries: [string, number][]) => entries.map(([name, n]) => `${name} ${n}`);
  return [
    wrap('Features', listPairs(counts.filter(([name]) => !name.includes(' + ')))),
    `Pairs at one invoice: ${pairs.length - rare.length} of ${pairs.length} in ${enough} seeds or more`,
    ...(rare.length > 0 ? [wrap(`In fewer than ${enough}`, listPairs(rare.slice(0, MAX_NAMES)))] : []),
  ].join('\n');
}

/** Coverage of the seeds, for the reader and for the check that nothing was missed. */
export function tableOf({ reached, waits, steps, seeds }: Share): string {
  const missing = unreachedNames(reached);
  const pairs = missing.filter((name) => name.includes(' x '));
  const expectedCount = expectedPairs().length;
  return [
    wrap('States', listCounts(reached.states)),
    wrap('Moves', listCounts(reached.moves)),
    wrap('Faults', listCounts(reached.faults)),
    `State x fault: ${expectedCount - pairs.length} of ${expectedCount} pairs reached`,
    ...(missing.length > 0 && missing.length <= MAX_NAMES ? [wrap('Never reached', missing)] : []),
    ...waitLines('Charged payers at open pages', waits),
    ...waitLines(
      '  where the gateway answered every call',
      waits.filter(({ isUndisturbed }) => isUndisturbed),
    ),
    `${Math.round(steps / Math.max(1, seeds))} steps a seed`,
  ].join('\n');
}
