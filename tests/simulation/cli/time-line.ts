import type { Outcome } from '../run.ts';
import { START } from '../world/setting.ts';

const two = (n: number) => String(n).padStart(2, '0');

/** Hours, minutes, seconds and ms since the beginning. */
export function clock(at: number): string {
  const ms = at - START;
  const seconds = Math.floor(ms / 1000);
  const day = Math.floor(seconds / 86_400);
  const time = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${day > 0 ? `day ${day + 1} ` : ''}${time}.${String(ms % 1000).padStart(3, '0')}`;
}

/** A run as a person reads it: when, who, what. */
export function timeLine({ trace, violations, seed }: Outcome): string {
  const lines = trace.map(({ at, who, what }) => `${clock(at).padStart(18)}  ${who.slice(0, 28).padEnd(28)}  ${what}`);
  const end = violations.length > 0 ? violations.map((violation) => `broken: ${violation}`) : ['nothing is broken'];
  return [`seed ${seed}`, ...lines, ...end].join('\n');
}
