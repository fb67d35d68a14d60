import { clearAffected, listAffectedAccounts, updateLastOccurrence } from '#worker/data/alerts/alerts';
import { type Measurement, measureClinics, measureInstallation } from '#worker/data/alerts/measure';
import type { Deps } from '#worker/deps';
import { keyOf, MEASURED_EVENTS } from './register.ts';
import { storeAlerts } from './store-alerts.ts';

/** The alert of a persisting problem is updated this often (ms), so that it shows a recent check. */
const TOUCH_MS = 3_600_000;

/**
 * Clinics where a full check found no problem, with their newest event at that time. Until there is a problem or a new
 * event, the installation's alerts are read only once an hour. A Worker may raise an alert in the meantime, but without
 * a new event its problem cannot have ended.
 */
const quietClinics = new Map<number, { newestEvent: number; at: number }>();
const QUIET_MS = 3_600_000;

/**
 * The time (UTC ms) at which each clinic's daily sums were last compared. They are compared at most once per
 * SUMS_INTERVAL_MS.
 */
const sumsComparedAt = new Map<number, number>();
const SUMS_INTERVAL_MS = 5 * 60_000;
/**
 * The time (UTC ms) at which the sums of all days, not only of the newest, were last compared. After a difference, each
 * run compares all days until none differs.
 */
const allSumsComparedAt = new Map<number, number>();
const ALL_SUMS_INTERVAL_MS = 24 * 3_600_000;

const isDue = (runs: Map<number, number>, clinic: number, at: number, intervalMs: number): boolean => {
  const since = at - (runs.get(clinic) ?? 0);
  return since < 0 || since >= intervalMs;
};

/**
 * Checks the records of the clinics in the current database: raises an alert for each new problem and clears the solved
 * ones. In a clinic's own alarm the database is the clinic's, and the alerts are the installation's.
 */
export async function alertClinics(deps: Deps): Promise<void> {
  const at = deps.now();
  const days = isDue(allSumsComparedAt, deps.clinic, at, ALL_SUMS_INTERVAL_MS) ? 'all' : 'newest';
  const measured = await measureClinics(deps.db, at, isDue(sumsComparedAt, deps.clinic, at, SUMS_INTERVAL_MS), days);
  if (measured.isComplete) sumsComparedAt.set(deps.clinic, at);
  if (measured.problems.some(({ event }) => event === 'daily-sums-differ')) allSumsComparedAt.delete(deps.clinic);
  else if (measured.isComplete && days === 'all') allSumsComparedAt.set(deps.clinic, at);
  const { problems: standing, isComplete: isWhole, newestEvent } = measured;
  const isQuiet = standing.length === 0;
  const previous = quietClinics.get(deps.clinic);
  if (isQuiet && previous?.newestEvent === newestEvent && Math.abs(at - previous.at) < QUIET_MS) return;
  await updateAlerts(deps, measured);
  if (!isQuiet) quietClinics.delete(deps.clinic);
  else if (isWhole || previous) quietClinics.set(deps.clinic, { newestEvent, at });
}

/** Like `alertClinics`, for the installation itself: its emails, builds, jobs and silent clinics. */
export const alertInstallation = async (deps: Deps): Promise<void> =>
  updateAlerts(deps, await measureInstallation(deps.installation, deps.now()));

async function updateAlerts(deps: Deps, { problems: standing, covers }: Measurement): Promise<void> {
  const { installation, log, raised, now } = deps;
  await storeAlerts(deps);
  const idOf = (key: string, account: number) => `${key} ${account}`;
  const affected = (await listAffectedAccounts(installation)).filter(
    ({ event, account }) => MEASURED_EVENTS.includes(event) && covers(event, account),
  );
  const knownIds = new Set(affected.map(({ key, account }) => idOf(key, account)));
  const standingIds = new Set(standing.map(({ event, subject, account }) => idOf(keyOf(event, subject), account)));

  const endedProblems = affected.filter(({ key, account }) => !standingIds.has(idOf(key, account)));
  if (endedProblems.length > 0)
    await clearAffected(
      installation,
      endedProblems.map(({ key, account }) => [key, account]),
      now(),
    );
  const staleAlerts = affected.filter(
    ({ key, account, lastAt }) => standingIds.has(idOf(key, account)) && lastAt < now() - TOUCH_MS,
  );
  if (staleAlerts.length > 0)
    await updateLastOccurrence(installation, [...new Set(staleAlerts.map(({ key }) => key))], now());

  for (const { event, subject, account, since } of standing) {
    const key = keyOf(event, subject);
    if (knownIds.has(idOf(key, account))) continue;
    const fields = { accountId: account, since, ...(subject ? { job: subject } : {}) };
    raised.push({ event, fields, at: now() });
    log.info('trouble-found', { event, ...fields });
  }
  await storeAlerts(deps);
}
