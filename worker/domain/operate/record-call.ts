import { insertEvent } from '#worker/data/audit/events';
import { findClinic } from '#worker/data/directory/clinics';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';

/** `account`, `clinic`: as the address names them; below 1: it does not. */
export type Called = { route: string; account: number; clinic: number };

/**
 * Record that an operator's program asked for something, before it is answered. The event has the clinic's number and
 * not its account's, which an erasure must leave nowhere.
 */
export async function recordCall(deps: Deps, { route, account, clinic }: Called): Promise<void> {
  const number = clinic > 0 ? clinic : account > 0 ? await findClinic(deps.installation, account) : undefined;
  const event = auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'operator.called',
    subject: number === undefined ? ['installation', ''] : ['clinic', String(number)],
    after: { route },
  });
  await insertEvent(deps.db, event);
}
