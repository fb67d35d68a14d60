import type { Outcome } from '../run.ts';
import { START } from '../world/setting.ts';

const twoDigits = (n: number) => String(n).padStart(2, '0');

/** Formats a time (UTC ms) as day, hours, minutes, seconds and ms since the start of the run. */
export function clock(at: number): string {
  const ms = at - START;
  const seconds = Math.floor(ms / 1000);
  const day = Math.floor(seconds / 86_400);
  const time = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':');
  return `${day > 0 ? `day ${day + 1} ` : ''}${time}.${String(ms % 1000).padStart(3, '0')}`;
}

/** The readable time line of a run: time, actor and event per line. */
export function timeLine({ trace, violations, seed }: Outcome): string {
  const lines = trace.map(
    ({ at, actor, event }) => `${clock(at).padStart(18)}  ${actor.slice(0, 28).padEnd(28)}  ${event}`,
  );
  const end = violations.length > 0 ? violations.map((violation) => `violated: ${violation}`) : ['no rule is violated'];
  return [`seed ${seed}`, ...lines, ...end].join('\n');
}
