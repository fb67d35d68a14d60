import type { HealthCheckName } from '#shared/contracts/operators/health';
import type { OperatorHealth, OperatorOverview } from '#shared/contracts/operators/operator';
import type { InstallationProblem } from '#shared/contracts/operators/operator-values';
import { formatCount } from '#shared/text/format-count';
import { formatAge, formatDuration, problemTexts } from './words.ts';

type Check = OperatorHealth['checks'][number];
type CheckTexts = {
  name: string;
  value(observed: number): string;
  to?: string;
  /** Problems in the overview that have the same cause. Alerts report them later. */
  problems?: InstallationProblem[];
};

const countCases = (n: number) => (n > 0 ? `${formatCount(n, 'case')} in open alerts` : 'none');
const CHECKS: Record<HealthCheckName, CheckTexts> = {
  d1: { name: 'Database', value: (ms) => `answered in ${ms} ms` },
  cron: {
    name: 'Schedule',
    value: (s) => `ran ${formatDuration(s * 1000)} ago`,
    to: '/operator/runbook?event=job-overdue',
  },
  outbox: { name: 'Emails overdue, refused or given up', value: countCases, problems: ['mails-unsent'] },
  unknown_payments: {
    name: 'Payments and refunds without an outcome',
    value: countCases,
    problems: ['waiting', 'stuck'],
  },
  crm: { name: 'Clinics whose CRM cannot be read', value: countCases, problems: ['failing'] },
  gateway: { name: 'Card provider’s refusals and late comparisons', value: countCases },
  backup: {
    name: 'Nightly dumps',
    value: (s) => `the oldest is ${formatDuration(s * 1000)} old`,
    to: '/operator/restore',
  },
};

/** A check for the screen. `pending`: there is nothing to check yet. */
export type DisplayedCheck = { name: string; to?: string; value: string; status: Check['status'] | 'pending' };

/** Adds the problems that the overview counts to the health, so that the two never contradict each other. */
export function mergeHealth(
  { status, checks }: OperatorHealth,
  overview: OperatorOverview | null,
): { status: OperatorHealth['status']; checks: DisplayedCheck[] } {
  let hasProblems = false;
  const displayedChecks = checks.map((check): DisplayedCheck => {
    const { name, value, to, problems = [] } = CHECKS[check.name];
    const base = { name, ...(to ? { to } : {}), status: check.status };
    if (check.name === 'backup' && overview) return { ...base, ...describeDumps(overview, check) };
    const related = overview?.problems.filter(({ kind }) => problems.includes(kind)) ?? [];
    if (related.length === 0) return { ...base, value: value(check.observedValue) };
    hasProblems = true;
    const texts = related.map(({ kind, n }) => problemTexts[kind].text(n));
    if (check.observedValue > 0) texts.push(value(check.observedValue));
    return { ...base, value: texts.join('; '), status: check.status === 'pass' ? 'warn' : check.status };
  });
  return { status: status === 'pass' && hasProblems ? 'warn' : status, checks: displayedChecks };
}

/** Describes the dumps. Before the first one there is no age; unless it is late, it comes the next night. */
function describeDumps({ at, dumps }: OperatorOverview, { status }: Check): Pick<DisplayedCheck, 'value' | 'status'> {
  const { oldest_at, missing } = dumps;
  const first = status === 'pass' ? ', the first one comes tonight' : '';
  if (oldest_at === null) return { value: `no dump yet${first}`, status: status === 'pass' ? 'pending' : status };
  const oldest = `the oldest is ${formatAge(oldest_at, Date.parse(at))} old`;
  if (missing === 0) return { value: oldest, status };
  return { value: `${oldest}; ${formatCount(missing, 'database')} without a dump yet${first}`, status };
}
