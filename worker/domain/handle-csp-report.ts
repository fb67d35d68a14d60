import type { Deps } from '../deps.ts';

const WINDOW_MS = 60_000;
/** Reports of a minute that are logged; beyond them, one in SAMPLE is. */
const TOLD = 10;
const SAMPLE = 100;

let since = 0;
let heard = 0;

/**
 * Log a browser's report of a violation of the pay page's policy. Any client can send any number of them, so it is no
 * alert, and a flood leaves few lines; `heard` counts the reports of its minute in this isolate. Only the blocked
 * origin is logged: the rest of an address may be a payer's.
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
