import { accountsOfClinics, type NewAlert, recordAcknowledgment, saveAlerts } from '#worker/data/alerts/alerts';
import { type JobRun, saveHeartbeats } from '#worker/data/alerts/health';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { causeOf, type LogFields, type RaisedAlert } from '#worker/log';
import { keyOf, ruleOf } from './register.ts';

export type StoreAlertsDeps = Pick<Deps, 'raised' | 'installation' | 'log'>;

const { stringify } = JSON;

/**
 * Stores the alerts raised in the log that are not in their table yet, one row per problem. Never throws: if the
 * database does not answer, the alerts wait for the next call.
 */
export async function storeAlerts({ raised, installation, log }: StoreAlertsDeps): Promise<void> {
  const pendingAlerts = raised.splice(0);
  if (pendingAlerts.length === 0) return;
  try {
    const clinics = pendingAlerts.flatMap(({ event, fields }) => clinicIn(event, fields) ?? []);
    const accounts = clinics.length > 0 ? await accountsOfClinics(installation, clinics) : new Map();
    await saveAlerts(installation, mergeByProblem(pendingAlerts, accounts));
  } catch (cause) {
    raised.unshift(...pendingAlerts);
    log.info('alerts-not-saved', { n: pendingAlerts.length, cause: causeOf(cause) });
  }
}

function mergeByProblem(raised: RaisedAlert[], accountsOf: Map<number, number>): NewAlert[] {
  const byKey = new Map<string, NewAlert>();
  for (const { event, fields, at } of raised) {
    const { severity, subjectField: groupingField } = ruleOf(event);
    const subject = groupingField ? String(fields[groupingField] ?? '') : '';
    const key = keyOf(event, subject);
    const account = accountIn(fields) || (accountsOf.get(clinicIn(event, fields) ?? 0) ?? 0);
    const since = typeof fields.since === 'number' ? fields.since : at;
    const knownAlert = byKey.get(key);
    const accounts = knownAlert?.accounts ?? new Map<number, number>();
    accounts.set(account, Math.min(since, accounts.get(account) ?? since));
    byKey.set(key, {
      key,
      event,
      subject,
      severity,
      accounts,
      fields: stringify(fields),
      firstAt: Math.min(since, knownAlert?.firstAt ?? since),
      lastAt: Math.max(at, knownAlert?.lastAt ?? at),
      n: (knownAlert?.n ?? 0) + 1,
    });
  }
  return [...byKey.values()];
}

const accountIn = ({ accountId }: LogFields): number => (typeof accountId === 'number' ? accountId : 0);

/** The clinic of an alert whose account was unknown when it was raised; null for a job, which concerns all clinics. */
const clinicIn = (event: string, { accountId, clinic }: LogFields): number | null =>
  accountId === undefined && typeof clinic === 'number' && !ruleOf(event).subjectField ? clinic : null;

/**
 * Runs after the schedule: records when each job ran, stores the remaining alerts, and pings the operator's dead man's
 * switch if all went well. Never throws.
 */
export async function recordRun(deps: Deps, heartbeats: JobRun[]): Promise<void> {
  await storeAlerts(deps);
  // A clinic's own heartbeat is its report to the directory.
  if (deps.clinic !== 0) return;
  try {
    await saveHeartbeats(deps.installation, heartbeats);
    const isClean = heartbeats.every(({ ok }) => ok) && deps.raised.length === 0;
    if (isClean && !(await deps.operatorChannel.sendHeartbeat())) deps.log.info('heartbeat-not-heard');
  } catch (cause) {
    deps.log.info('heartbeats-not-saved', { cause: causeOf(cause) });
  }
}

/**
 * Marks an alert as being handled by the operator: it is sent again only when another clinic is affected.
 * `operatorName`: the person's name on the operator page. Recorded in the installation's audit trail.
 */
export async function acknowledgeAlert(
  deps: Deps,
  key: string,
  operatorName: string,
): Promise<'acknowledged' | 'not-open'> {
  const event = auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'alert.acknowledged',
    subject: ['alert', key],
    after: { by: operatorName },
  });
  return (await recordAcknowledgment(deps.installation, key, operatorName, deps.now(), event))
    ? 'acknowledged'
    : 'not-open';
}
