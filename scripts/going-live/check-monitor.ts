import type { MonitorState } from '#shared/contracts/monitor';
import { lineOf } from '#shared/tamper-monitor/compare';
import { type Finding, missing, notChecked, ok, wrong } from './finding.ts';

const HOUR_MS = 3_600_000;
/** The schedule looks every 6 hours; the duty outside is a look a week. */
const LATE_MS = { inside: 7 * HOUR_MS, outside: 8 * 24 * HOUR_MS };
const REMEDY = {
  inside: 'the schedule makes one every 6 hours; look for tamper-monitor-failed in the log',
  outside: 'run npm run monitor each week and after each release (docs/pci.md)',
};

/**
 * How the tamper monitor stands, from the installation's own answer (null: none came). `isPublic`: payers use it, so that a
 * browser has to look at it each week.
 */
export async function monitorFindings(
  secret: string,
  answer: Response | null,
  isPublic = true,
  now = Date.now(),
): Promise<Finding[]> {
  if (secret === '')
    return [missing('tamper monitor (MONITOR_SECRET)', 'no browser can report what it sees on the pay page')];
  if (!answer?.ok)
    return [wrong('tamper monitor (MONITOR_SECRET)', 'the Worker has another secret; run npm run deploy again')];
  const { lastRuns, findings, approved } = (await answer.json()) as MonitorState;
  const lookOf = (source: 'inside' | 'outside') => {
    const at = lastRuns[source];
    const what = `tamper monitor, look from ${source}`;
    if (source === 'outside' && !isPublic && at === null) return notChecked(what, 'no payer comes here');
    if (at === null) return missing(what, `there was none; ${REMEDY[source]}`);
    const when = `the last one was at ${new Date(at).toISOString()}`;
    return now - at > LATE_MS[source] ? wrong(what, `${when}; ${REMEDY[source]}`) : ok(what, when);
  };
  return [
    ok('tamper monitor (MONITOR_SECRET)'),
    lookOf('inside'),
    lookOf('outside'),
    approved.length > 0
      ? ok('provider’s script', `versions approved: ${approved.length}`)
      : missing('provider’s script', 'no version is approved yet; docs/pci.md says how'),
    ...findings.map((finding) => wrong(`pay page, seen from ${finding.source}`, lineOf(finding))),
  ];
}
