import type { Deps } from '../deps.ts';

const WINDOW_MS = 60_000;
/** This many reports of a minute leave a line each; of those beyond, one in so many does. */
const TOLD = 10;
const SAMPLE = 100;

let since = 0;
let heard = 0;

/**
 * A browser's report of what the pay page's policy stopped. Anybody can send one, and as many as they like, so it is no
 * alert, and a flood leaves few lines; `heard` says how many reports of its minute came to this isolate before a line. Only
 * the origin of what was stopped is told: the rest of an address may be a payer's.
 */
export function handleCspReport({ log, now }: Pick<Deps, 'log' | 'now'>, report: string): void {
  if (Math.abs(now() - since) >= WINDOW_MS) {
    since = now();
    heard = 0;
  }
  heard++;
  if (heard > TOLD && heard % SAMPLE !== 0) return;
  const directive = /"(?:effective-?[dD]irective|violated-directive)"\s*:\s*"([a-z-]{1,40})/.exec(report)?.[1] ?? '';
  const blocked =
    /"blocked-?(?:URL|uri)"\s*:\s*"((?:https?|wss?):\/\/[\w.:-]{1,100}|[a-z-]{1,20})/.exec(report)?.[1] ?? '';
  log.info('csp-violation', { directive, blocked, heard });
}
