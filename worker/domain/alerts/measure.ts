import { clearAffected, listAffected, touchAlerts } from '#worker/data/alerts/alerts';
import { type Measured, measureClinics, measureInstallation } from '#worker/data/alerts/measure';
import type { Deps } from '#worker/deps';
import { keepAlerts } from './keep.ts';
import { keyOf, MEASURED } from './register.ts';

/** An unchanged problem is touched this often (ms), so that its alert shows a recent check. */
const TOUCH_MS = 3_600_000;

/**
 * Clinics where a full check found no problem, with their newest event at that time. While both are unchanged, the
 * installation's alerts are read only once an hour. A Worker may have raised an alert, and only an event can have ended
 * it.
 */
const quiet = new Map<number, { newestEvent: number; at: number }>();
const QUIET_MS = 3_600_000;

/**
 * When a clinic's daily sums were last compared (UTC ms). An alarm that runs less often than this compares them every
 * time.
 */
const compared = new Map<number, number>();
const SUMS_EVERY_MS = 5 * 60_000;
/** The same for all days instead of the newest ones. Once a day differs, all are compared until none does. */
const comparedAll = new Map<number, number>();
const ALL_EVERY_MS = 24 * 3_600_000;

const isDue = (last: Map<number, number>, clinic: number, at: number, everyMs: number): boolean => {
  const since = at - (last.get(clinic) ?? 0);
  return since < 0 || since >= everyMs;
};

/**
 * Checks the books of the clinics in the current database: raises an alert for each new problem and clears the solved
 * ones. In a clinic's own alarm the database is the clinic's, and the alerts are the installation's.
 */
export async function alertClinics(deps: Deps): Promise<void> {
  const at = deps.now();
  const days = isDue(comparedAll, deps.clinic, at, ALL_EVERY_MS) ? 'all' : 'newest';
  const found = await measureClinics(deps.db, at, isDue(compared, deps.clinic, at, SUMS_EVERY_MS), days);
  if (found.isWhole) compared.set(deps.clinic, at);
  if (found.standing.some(({ event }) => event === 'daily-sums-differ')) comparedAll.delete(deps.clinic);
  else if (found.isWhole && days === 'all') comparedAll.set(deps.clinic, at);
  const { standing, isWhole, newestEvent } = found;
  const isQuiet = standing.length === 0;
  const last = quiet.get(deps.clinic);
  if (isQuiet && last?.newestEvent === newestEvent && Math.abs(at - last.at) < QUIET_MS) return;
  await follow(deps, found);
  if (!isQuiet) quiet.delete(deps.clinic);
  else if (isWhole || last) quiet.set(deps.clinic, { newestEvent, at });
}

/** The same for the installation itself: its mails, builds, jobs and silent clinics. */
export const alertInstallation = async (deps: Deps): Promise<void> =>
  follow(deps, await measureInstallation(deps.installation, deps.now()));

async function follow(deps: Deps, { standing, covers }: Measured): Promise<void> {
  const { installation, log, raised, now } = deps;
  await keepAlerts(deps);
  const id = (key: string, account: number) => `${key} ${account}`;
  const affected = (await listAffected(installation)).filter(
    ({ event, account }) => MEASURED.includes(event) && covers(event, account),
  );
  const known = new Set(affected.map(({ key, account }) => id(key, account)));
  const found = new Set(standing.map(({ event, subject, account }) => id(keyOf(event, subject), account)));

  const gone = affected.filter(({ key, account }) => !found.has(id(key, account)));
  if (gone.length > 0)
    await clearAffected(
      installation,
      gone.map(({ key, account }) => [key, account]),
      now(),
    );
  const stale = affected.filter(({ key, account, lastAt }) => found.has(id(key, account)) && lastAt < now() - TOUCH_MS);
  if (stale.length > 0) await touchAlerts(installation, [...new Set(stale.map(({ key }) => key))], now());

  for (const { event, subject, account, since } of standing) {
    const key = keyOf(event, subject);
    if (known.has(id(key, account))) continue;
    const fields = { accountId: account, since, ...(subject ? { job: subject } : {}) };
    raised.push({ event, fields, at: now() });
    log.info('trouble-found', { event, ...fields });
  }
  await keepAlerts(deps);
}
