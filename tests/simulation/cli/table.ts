import { neverReached, pairsExpected } from '../judge/pairs.ts';
import type { Counts } from '../judge/reached.ts';
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

/** Of numbers in ms, the one that 99 of 100 do not exceed; null of none. */
export function p99(numbers: number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? null;
}

/** A small run leaves out too much to name it. */
const MOST_NAMED = 150;

/** What the seeds reached, for a person and for the check that nothing was left out. */
export function tableOf({ reached, toldMs, steps, seeds }: Share): string {
  const missing = neverReached(reached);
  const pairs = missing.filter((name) => name.includes(' x '));
  const all = pairsExpected().length;
  const told = p99(toldMs);
  return [
    wrapped('States', listed(reached.states)),
    wrapped('Moves', listed(reached.moves)),
    wrapped('Faults', listed(reached.faults)),
    `State x fault: ${all - pairs.length} of ${all} pairs reached`,
    ...(missing.length > 0 && missing.length <= MOST_NAMED ? [wrapped('Never reached', missing)] : []),
    `A charged payer was told after ${told === null ? '-' : (told / 1000).toFixed(1)} s (p99 of ${toldMs.length}, gateway answering)`,
    `${Math.round(steps / Math.max(1, seeds))} steps a seed`,
  ].join('\n');
}
