/** Ticks from `low` to `high` (both included) whose step is 1, 2 or 5 times a power of ten, at most `most` steps. */
export function niceTicks(low: number, high: number, most: number): number[] {
  const step = niceStep((high - low) / most);
  const ticks: number[] = [];
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  // 0.1 has no exact float: 3 steps of it would give 0.30000000000000004.
  for (let at = first; at <= last; at++) ticks.push(Number((at * step).toPrecision(12)));
  return ticks;
}

function niceStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= atLeast * (1 - 1e-9)) ?? 10 * power;
}

/** Whole numbers from 0 to two above the highest count: each one where they fit, or every second, fifth, tenth … */
export function countTicks(highest: number, most: number): number[] {
  const top = highest + 2;
  const step = niceStep(Math.max(1, top / most));
  const ticks: number[] = [];
  for (let at = 0; at <= top; at += step) ticks.push(at);
  return ticks;
}

/** Range of the daily dollars: from zero, and below it only if a day's refunds exceed its payments. */
export function dollarTicks(amounts: number[], most: number): number[] {
  const high = Math.max(0, ...amounts);
  const low = Math.min(0, ...amounts);
  return high === low ? [0, 25, 50, 75, 100] : niceTicks(low, high, most);
}
