import type { OperatorOverview } from '#shared/contracts/operators/operator';
import {
  type ClinicFilter,
  type ClinicProblem,
  type ClinicState,
  type InstallationProblem,
  installationProblems,
} from '#shared/contracts/operators/operator-values';
import type { ProblemFacts } from '#worker/data/directory/clinic-groups';
import { SILENT_MS } from '#worker/data/directory/status-reports';
import { readPaymentSwitchWithName } from '#worker/data/operators/interventions';
import type { ClinicRow } from '#worker/data/schema/directory';
import type { AlertRow } from '#worker/data/schema/monitoring';
import type { Deps } from '#worker/deps';
import { PROBLEM_OF_ALERT } from '#worker/domain/alerts/register';

/** The state of online payments in all clinics, and the setting or operator that determines it. */
export async function viewPayments({ installation, settings }: Deps): Promise<OperatorOverview['payments']> {
  const paymentSwitch = await readPaymentSwitchWithName(installation);
  if (settings.PAY_PAGE === 'paused') return { state: 'paused', by: 'setting', since: null, reason: '', operator: '' };
  if (!paymentSwitch) return { state: 'open', by: null, since: null, reason: '', operator: '' };
  const since = new Date(paymentSwitch.at).toISOString();
  return {
    state: paymentSwitch.state,
    by: 'operator',
    since,
    reason: paymentSwitch.reason,
    operator: paymentSwitch.name ?? '',
  };
}

/** The facts from which the directory computes problems. `now`: UTC ms. */
export const problemFacts = (now: number, { state }: OperatorOverview['payments']): ProblemFacts => ({
  silentFrom: now - SILENT_MS,
  arePaused: state === 'paused',
  problemOfAlert: PROBLEM_OF_ALERT,
});

/** The state of a clinic. Its problems are sorted, the worst first. */
export function stateOf({ erasedAt, accountId }: ClinicRow, [worst]: ClinicProblem[]): ClinicState {
  if (erasedAt !== null) return 'erased';
  return accountId === null ? 'restoring' : (worst ?? 'ok');
}

export type InstallationFacts = {
  groups: Record<ClinicFilter, number>;
  alerts: Pick<AlertRow, 'ackedAt'>[];
  /** Emails of the installation that are overdue, whose first try failed, or that were given up. */
  unsent: number;
  arePaused: boolean;
  /** Without the schedule nothing is measured, so no alert is raised. */
  isScheduleStopped: boolean;
  isTrailBroken: boolean;
  hasBuildFailed: boolean;
};

/** The problems of the installation, the worst first. Empty if nothing needs an operator. */
export function installationStatus(facts: InstallationFacts): OperatorOverview['problems'] {
  const { groups, alerts } = facts;
  const acknowledged = alerts.filter(({ ackedAt }) => ackedAt !== null).length;
  const counts: Record<InstallationProblem, number> = {
    'schedule-stopped': Number(facts.isScheduleStopped),
    'payments-paused': Number(facts.arePaused),
    'alerts-open': alerts.length - acknowledged,
    blocked: groups.blocked,
    silent: groups.silent,
    waiting: groups.waiting,
    stuck: groups.stuck,
    failing: groups.failing,
    'trail-broken': Number(facts.isTrailBroken),
    'mails-unsent': facts.unsent,
    'build-failed': Number(facts.hasBuildFailed),
    'alerts-acknowledged': acknowledged,
    restoring: groups.restoring,
  };
  return installationProblems.flatMap((kind) => (counts[kind] > 0 ? [{ kind, n: counts[kind] }] : []));
}
