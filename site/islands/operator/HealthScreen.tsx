import type { HealthStatus } from '#shared/contracts/operators/health';
import { OperatorHealth, OperatorOverview } from '#shared/contracts/operators/operator';
import { readWith } from '../ui/api/parse-response.ts';
import { Badge } from '../ui/Badge.tsx';
import { Banner } from '../ui/feedback/Banner.tsx';
import { formatSince } from '../ui/format-moment.ts';
import { AppLink } from '../ui/routing/router.tsx';
import { type PolledView, usePolledView } from './api.ts';
import { type DisplayedCheck, mergeHealth } from './health-checks.ts';
import { Screen } from './Screen.tsx';
import { describeSwitch, formatDuration, jobName } from './words.ts';

const readHealth = readWith(OperatorHealth);
const readOverview = readWith(OperatorOverview);
const REFRESH_MS = 30_000;

const STATUSES = {
  pass: { tone: 'ok', icon: 'check', text: 'Works' },
  pending: { tone: 'note', icon: 'clock', text: 'Not yet' },
  warn: { tone: 'warn', icon: 'warn', text: 'Needs attention' },
  fail: { tone: 'bad', icon: 'x', text: 'Fails' },
} as const;

const HEADLINES: Record<HealthStatus, string> = {
  pass: 'Everything works',
  warn: 'The installation works, and something needs attention',
  fail: 'The installation does not work',
};

type HealthAndOverview = OperatorHealth & { overview: OperatorOverview | null };

/** Returns the health once the overview has loaded or failed, and the message if either failed. */
function useHealth(): PolledView<HealthAndOverview> {
  const health = usePolledView('health', readHealth, REFRESH_MS);
  const overview = usePolledView('overview', readOverview, REFRESH_MS);
  const isOverviewSettled = overview.data !== null || overview.failure !== '';
  return {
    data: health.data && isOverviewSettled ? { ...health.data, overview: overview.data } : null,
    failure: health.failure || overview.failure,
    isLoading: health.isLoading || overview.isLoading,
    refresh: async () => {
      await Promise.all([health.refresh(), overview.refresh()]);
    },
  };
}

/** The checks of the installation and the last run of each job. */
export function HealthScreen() {
  const view = useHealth();
  return (
    <Screen title="Health" view={view}>
      {(data) => <Checks data={data} />}
    </Screen>
  );
}

function Checks({ data }: { data: HealthAndOverview }) {
  const { version, commit, at, jobs } = data;
  const { status, checks } = mergeHealth(data, data.overview);
  const payments = data.overview?.payments;
  return (
    <>
      {payments?.state === 'paused' && (
        <Banner tone="bad" lead="All online payments are paused">
          {describeSwitch(payments)}{' '}
          {payments.by !== 'setting' && <AppLink href="/operator">Resume them in the overview</AppLink>}
        </Banner>
      )}
      <p className="op-verdict">
        {payments?.state === 'paused' && status === 'pass' ? 'Everything else works' : HEADLINES[status]}
      </p>
      <div className="op-two">
        <section className="op-part" aria-label="Checks">
          <h2>Checks</h2>
          <div className="card">
            <ul className="op-rows">
              {checks.map((check) => (
                <li key={check.name}>
                  <span className="op-main">
                    <strong>{check.to ? <AppLink href={check.to}>{check.name}</AppLink> : check.name}</strong>
                    <span className="op-sub">{check.value}</span>
                  </span>
                  <Status status={check.status} />
                </li>
              ))}
            </ul>
          </div>
        </section>
        <section className="op-part" aria-label="Jobs of the schedule">
          <h2>Jobs of the schedule</h2>
          <div className="card">
            {jobs.length === 0 && <p className="app-quiet">The schedule has not run yet.</p>}
            <ul className="op-rows">
              {jobs.map(({ job, is_ok, finished_at, ok_at, ms }) => (
                <li key={job}>
                  <span className="op-main">
                    <strong>{jobName(job)}</strong>
                    <span className="op-sub">
                      {job}: ran {formatSince(finished_at)}, took {formatDuration(ms)}
                      {!is_ok && `; last success ${formatSince(ok_at)}`}
                    </span>
                  </span>
                  <Status status={is_ok ? 'pass' : 'warn'} />
                </li>
              ))}
            </ul>
          </div>
        </section>
      </div>
      <p className="op-sub">
        Version {version}
        {commit && `, commit ${commit}`}. As of {formatSince(at)}, refreshed every 30 s.
      </p>
    </>
  );
}

function Status({ status }: { status: DisplayedCheck['status'] }) {
  const { tone, icon, text } = STATUSES[status];
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  );
}
