import { acknowledge } from '#worker/data/alerts/alerts';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';

/**
 * Somebody of the operator takes care of an alert: it is told again only when another clinic is touched. `by`: who, as the
 * operator's page knows them. The act is in the installation's trail.
 */
export async function acknowledgeAlert(deps: Deps, key: string, by: string): Promise<'acknowledged' | 'not-open'> {
  const event = auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'alert.acknowledged',
    subject: ['alert', key],
    after: { by },
  });
  return (await acknowledge(deps.installation, key, by, deps.now(), event)) ? 'acknowledged' : 'not-open';
}
