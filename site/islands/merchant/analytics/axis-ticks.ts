/** Returns ticks that cover `low` to `high`, in about `maxSteps` steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(low: number, high: number, maxSteps: number): number[] {
  const step = niceStep((high - low) / maxSteps);
  const ticks: number[] = [];
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  // Rounding removes float errors: 3 steps of 0.1 would otherwise give 0.30000000000000004.
  for (let index = first; index <= last; index++) ticks.push(Number((index * step).toPrecision(12)));
  return ticks;
}

function niceStep(min: number): number {
  const power = 10 ** Math.floor(Math.log10(min));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= min * (1 - 1e-9)) ?? 10 * power;
}

/** Returns whole numbers from 0 to at most two above the highest count, in steps of 1, 2, 5, 10 and so on. */
export function countTicks(highest: number, maxSteps: number): number[] {
  const top = highest + 2;
  const step = niceStep(Math.max(1, top / maxSteps));
  const ticks: number[] = [];
  for (let tick = 0; tick <= top; tick += step) ticks.push(tick);
  return ticks;
}

/** Returns ticks for dollar amounts. They start at zero, or below it if there is a negative amount. */
export function dollarTicks(amounts: number[], maxSteps: number): number[] {
  const high = Math.max(0, ...amounts);
  const low = Math.min(0, ...amounts);
  return high === low ? [0, 25, 50, 75, 100] : niceTicks(low, high, maxSteps);
}

const compactFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
/** Formats a label on a plot's axis, for example "$800" or "$12K". */
export function formatDollarTick(amount: number): string {
  const absolute = Math.abs(amount);
  return `${amount < 0 ? '−' : ''}$${absolute < 10_000 ? absolute.toLocaleString('en-US') : compactFormat.format(absolute)}`;
}
