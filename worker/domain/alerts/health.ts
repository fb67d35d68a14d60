import type { Health, HealthCheck, HealthCheckName, HealthStatus } from '#shared/contracts/operators/health';
import { type AlertState, readAlertState } from '#worker/data/alerts/health';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import type { AlertEvent } from './register.ts';

/** A response is cached for this long (ms), so that frequent polling does not burden the database. */
const CACHED_MS = 5_000;
/** The schedule runs each minute; it counts as stopped after this long (ms). */
const MAX_SILENCE_MS = 5 * 60_000;
const BACKUP_LATE_MS = 26 * 3_600_000;

const cache = new WeakMap<object, { at: number; health: Required<Health> }>();

/**
 * Returns the installation's health from its recorded job runs and alerts, without calling a vendor. `fail`: the
 * database or the schedule does not work. `warn`: an alert of severity `now` is open. `isTrusted` adds the checks.
 */
export async function viewHealth(deps: Deps, isTrusted: boolean): Promise<Health> {
  const at = deps.now();
  const cached = cache.get(deps.installation);
  const isFresh = cached && at >= cached.at && at - cached.at < CACHED_MS;
  const health = isFresh ? cached.health : await readHealth(deps, at);
  if (!isFresh) cache.set(deps.installation, { at, health });
  const { checks, ...summary } = health;
  return isTrusted ? health : summary;
}

async function readHealth(deps: Deps, at: number): Promise<Required<Health>> {
  const time = new Date(at).toISOString();
  const base = { version: deps.version, commit: deps.settings.COMMIT, time };
  try {
    const state = await readAlertState(deps.installation);
    const checks = checksOf(state, at, deps.now() - at);
    const isUrgent = state.open.some(({ severity }) => severity === 'now');
    const status = checks.cron.status === 'fail' ? 'fail' : isUrgent ? 'warn' : 'pass';
    return { status, ...base, checks };
  } catch (cause) {
    deps.log.info('health-not-read', { cause: causeOf(cause) });
    return { status: 'fail', ...base, checks: { d1: { status: 'fail', observedValue: deps.now() - at, time } } };
  }
}

const ALERTS_OF_CHECK: Partial<Record<HealthCheckName, AlertEvent[]>> = {
  outbox: ['mail-overdue', 'mail-given-up', 'mail-refused'],
  unknown_payments: ['payment-unknown', 'payment-needs-a-person', 'reversal-unknown', 'reversal-needs-a-person'],
  crm: ['crm-copy-old', 'crm-grant-revoked'],
  gateway: ['gateway-refused-our-credentials', 'reconciliation-late'],
};

type Checks = NonNullable<Health['checks']> & { cron: HealthCheck };

function checksOf({ beats, open }: AlertState, at: number, readMs: number): Checks {
  const iso = (time: number) => new Date(time).toISOString();
  const check = (status: HealthStatus, observedValue: number, time = at): HealthCheck => ({
    status,
    observedValue,
    time: iso(time),
  });
  const ranAt = Math.max(0, ...beats.map(({ finishedAt }) => finishedAt));
  const failing = beats.filter(({ ok }) => !ok).length;
  const cron = at - ranAt > MAX_SILENCE_MS ? 'fail' : failing > 0 ? 'warn' : 'pass';
  const backup = beats.find(({ job }) => job === 'backup');
  const alertChecks = Object.entries(ALERTS_OF_CHECK).map(([name, events]) => {
    const matching = open.filter(({ event }) => (events as string[]).includes(event));
    const affected = matching.reduce((sum, { accounts, n }) => sum + (accounts || n), 0);
    return [name, check(matching.length > 0 ? 'warn' : 'pass', affected)];
  });
  return {
    d1: check('pass', readMs),
    cron: check(cron, Math.round((at - ranAt) / 1000), ranAt),
    ...Object.fromEntries(alertChecks),
    ...(backup
      ? { backup: check(at - backup.okAt > BACKUP_LATE_MS ? 'warn' : 'pass', Math.round((at - backup.okAt) / 1000)) }
      : {}),
  };
}
