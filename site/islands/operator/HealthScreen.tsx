import type { HealthCheckName, HealthStatus } from '#shared/contracts/operators/health';
import { OperatorHealth } from '#shared/contracts/operators/operator';
import { readWith } from '../ui/api/parse-response.ts';
import { Badge } from '../ui/Badge.tsx';
import { formatSince } from '../ui/format-moment.ts';
import { AppLink } from '../ui/routing/router.tsx';
import { usePolledView } from './api.ts';
import { Screen } from './Screen.tsx';
import { counted, formatDuration } from './words.ts';

const readHealth = readWith(OperatorHealth);
const EVERY_MS = 30_000;

const STATUSES = {
  pass: { tone: 'ok', icon: 'check', text: 'Works' },
  warn: { tone: 'warn', icon: 'warn', text: 'Needs attention' },
  fail: { tone: 'bad', icon: 'x', text: 'Fails' },
} as const;

const HEADLINES: Record<HealthStatus, string> = {
  pass: 'Everything works',
  warn: 'The installation works, and something needs attention',
  fail: 'The installation does not work',
};

type CheckWords = { name: string; value: (observed: number) => string; to?: string };
const ofAlerts = (n: number) => (n > 0 ? `${counted(n, 'case')} in open alerts` : 'none');
const CHECKS: Record<HealthCheckName, CheckWords> = {
  d1: { name: 'Database', value: (ms) => `answered in ${ms} ms` },
  cron: {
    name: 'Schedule',
    value: (s) => `ran ${formatDuration(s * 1000)} ago`,
    to: '/operator/runbook?event=job-overdue',
  },
  outbox: { name: 'Mails overdue, refused or given up', value: ofAlerts },
  unknown_payments: { name: 'Payments and refunds without an outcome', value: ofAlerts },
  crm: { name: 'Clinics whose CRM cannot be read', value: ofAlerts },
  gateway: { name: 'Card provider’s refusals and late comparisons', value: ofAlerts },
  backup: {
    name: 'Nightly dumps',
    value: (s) => `the oldest is ${formatDuration(s * 1000)} old`,
    to: '/operator/restore',
  },
};

/** The checks of the installation and the last run of each job. */
export function HealthScreen() {
  const look = usePolledView('health', readHealth, EVERY_MS);
  return (
    <Screen title="Health" look={look}>
      {({ status, version, commit, at, checks, jobs }) => (
        <>
          <p className="op-verdict">{HEADLINES[status]}</p>
          <div className="op-two">
            <section className="op-part" aria-label="Checks">
              <h2>Checks</h2>
              <div className="card">
                <ul className="op-rows">
                  {checks.map((check) => {
                    const { name, value, to } = CHECKS[check.name];
                    return (
                      <li key={check.name}>
                        <span className="op-main">
                          <strong>{to ? <AppLink href={to}>{name}</AppLink> : name}</strong>
                          <span className="op-sub">{value(check.observedValue)}</span>
                        </span>
                        <Status status={check.status} />
                      </li>
                    );
                  })}
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
                        <strong>{job}</strong>
                        <span className="op-sub">
                          ran {formatSince(finished_at)}, took {formatDuration(ms)}
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
      )}
    </Screen>
  );
}

function Status({ status }: { status: HealthStatus }) {
  const { tone, icon, text } = STATUSES[status];
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  );
}
