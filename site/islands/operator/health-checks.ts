import type { HealthCheckName } from '#shared/contracts/operators/health';
import type { OperatorHealth, OperatorOverview } from '#shared/contracts/operators/operator';
import type { InstallationProblem } from '#shared/contracts/operators/operator-values';
import { counted } from '#shared/text/counted';
import { formatAge, formatDuration, problemWords } from './words.ts';

type Check = OperatorHealth['checks'][number];
type CheckWords = {
  name: string;
  value(observed: number): string;
  to?: string;
  /** Problems of the overview that are the same matter; alerts tell of them only later. */
  problems?: InstallationProblem[];
};

const ofAlerts = (n: number) => (n > 0 ? `${counted(n, 'case')} in open alerts` : 'none');
const CHECKS: Record<HealthCheckName, CheckWords> = {
  d1: { name: 'Database', value: (ms) => `answered in ${ms} ms` },
  cron: {
    name: 'Schedule',
    value: (s) => `ran ${formatDuration(s * 1000)} ago`,
    to: '/operator/runbook?event=job-overdue',
  },
  outbox: { name: 'Emails overdue, refused or given up', value: ofAlerts, problems: ['mails-unsent'] },
  unknown_payments: {
    name: 'Payments and refunds without an outcome',
    value: ofAlerts,
    problems: ['waiting', 'stuck'],
  },
  crm: { name: 'Clinics whose CRM cannot be read', value: ofAlerts, problems: ['failing'] },
  gateway: { name: 'Card provider’s refusals and late comparisons', value: ofAlerts },
  backup: {
    name: 'Nightly dumps',
    value: (s) => `the oldest is ${formatDuration(s * 1000)} old`,
    to: '/operator/restore',
  },
};

/** A check as the screen shows it. `pending`: there is nothing to check yet. */
export type ShownCheck = { name: string; to?: string; value: string; status: Check['status'] | 'pending' };

/** The health with the problems that the overview counts, so that the two never contradict. */
export function checkedHealth(
  { status, checks }: OperatorHealth,
  overview: OperatorOverview | null,
): { status: OperatorHealth['status']; checks: ShownCheck[] } {
  let isRaised = false;
  const shown = checks.map((check): ShownCheck => {
    const { name, value, to, problems = [] } = CHECKS[check.name];
    const base = { name, ...(to ? { to } : {}), status: check.status };
    if (check.name === 'backup' && overview) return { ...base, ...dumpsOf(overview, check) };
    const found = overview?.problems.filter(({ kind }) => problems.includes(kind)) ?? [];
    if (found.length === 0) return { ...base, value: value(check.observedValue) };
    isRaised = true;
    const words = found.map(({ kind, n }) => problemWords[kind].text(n));
    if (check.observedValue > 0) words.push(value(check.observedValue));
    return { ...base, value: words.join('; '), status: check.status === 'pass' ? 'warn' : check.status };
  });
  return { status: status === 'pass' && isRaised ? 'warn' : status, checks: shown };
}

/** A database without a dump has no age; while it is not late, its first dump comes in the next night. */
function dumpsOf({ at, dumps }: OperatorOverview, { status }: Check): Pick<ShownCheck, 'value' | 'status'> {
  const { oldest_at, missing } = dumps;
  const first = status === 'pass' ? ', the first one comes tonight' : '';
  if (oldest_at === null) return { value: `no dump yet${first}`, status: status === 'pass' ? 'pending' : status };
  const oldest = `the oldest is ${formatAge(oldest_at, Date.parse(at))} old`;
  if (missing === 0) return { value: oldest, status };
  return { value: `${oldest}; ${counted(missing, 'database')} without a dump yet${first}`, status };
}
