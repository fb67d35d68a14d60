import { saveTakesParts, takesParts } from '#worker/data/parts/switch';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';

/** Whether an account's invoices may be opened for payment in parts; off until somebody says so. */
export async function switchParts(deps: Deps, { accountId, userId }: Merchant, isOn: boolean): Promise<void> {
  const event = auditEvent(deps, {
    accountId,
    action: 'parts.switched',
    subject: ['account', String(accountId)],
    after: { on: isOn },
  });
  await saveTakesParts(deps.db, accountId, isOn, event);
  deps.log.info('parts-switched', { accountId, userId, isOn });
}

export const findTakesParts = ({ db }: Deps, { accountId }: Merchant): Promise<boolean> => takesParts(db, accountId);
