import type { HealthStatus } from '#shared/contracts/operators/health';
import { OperatorHealth, OperatorOverview } from '#shared/contracts/operators/operator';
import { readWith } from '../ui/api/parse-response.ts';
import { Badge } from '../ui/Badge.tsx';
import { Banner } from '../ui/feedback/Banner.tsx';
import { formatSince } from '../ui/format-moment.ts';
import { AppLink } from '../ui/routing/router.tsx';
import { type Look, usePolledView } from './api.ts';
import { checkedHealth, type ShownCheck } from './health-checks.ts';
import { Screen } from './Screen.tsx';
import { formatDuration, jobName, switched } from './words.ts';

const readHealth = readWith(OperatorHealth);
const readOverview = readWith(OperatorOverview);
const EVERY_MS = 30_000;

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

type Seen = OperatorHealth & { overview: OperatorOverview | null };

/** Both answers at once; without an overview the health is shown alone, with the failure. */
function useHealth(): Look<Seen> {
  const health = usePolledView('health', readHealth, EVERY_MS);
  const overview = usePolledView('overview', readOverview, EVERY_MS);
  const isThere = overview.seen !== null || overview.failure !== '';
  return {
    seen: health.seen && isThere ? { ...health.seen, overview: overview.seen } : null,
    failure: health.failure || overview.failure,
    isLooking: health.isLooking || overview.isLooking,
    again: async () => {
      await Promise.all([health.again(), overview.again()]);
    },
  };
}

/** The checks of the installation and the last run of each job. */
export function HealthScreen() {
  const look = useHealth();
  return (
    <Screen title="Health" look={look}>
      {(seen) => <Checked seen={seen} />}
    </Screen>
  );
}

function Checked({ seen }: { seen: Seen }) {
  const { version, commit, at, jobs } = seen;
  const { status, checks } = checkedHealth(seen, seen.overview);
  const payments = seen.overview?.payments;
  return (
    <>
      {payments?.state === 'paused' && (
        <Banner tone="bad" lead="All online payments are paused">
          {switched(payments)}{' '}
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

function Status({ status }: { status: ShownCheck['status'] }) {
  const { tone, icon, text } = STATUSES[status];
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  );
}
