import type { WriteBack } from '#shared/contracts/payments/write-back';
import { findTokens } from '#worker/data/crm-sync/tokens';
import type { LedgerPlace } from '#worker/data/write-back/unrecorded';
import { findWriteSettings, saveWriteSettings } from '#worker/data/write-back/writes';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import { NEWEST, readUnrecorded } from './unrecorded.ts';

/** What a grant must have before anything is recorded; the app declares both as optional. */
export const WRITE_SCOPE = 'crm.objects.commercepayments.write';
export const WRITE_SCOPES = ['crm.objects.commercepayments.read', WRITE_SCOPE];

/** Whether an account's payments are recorded in its CRM, and of which of them, before a place, the CRM shows nothing. */
export async function viewWriteBack(
  deps: Deps,
  { accountId }: Pick<Merchant, 'accountId'>,
  before: LedgerPlace = NEWEST,
): Promise<WriteBack> {
  const { db, settings } = deps;
  const own = await findWriteSettings(db, accountId);
  const tokens = await findTokens(db, accountId);
  const isGranted = tokens?.revokedAt === null && tokens.scopes.split(' ').includes(WRITE_SCOPE);
  return {
    is_on: own?.isOn ?? false,
    is_offered: settings.HUBSPOT_OPTIONAL_SCOPES.split(' ').includes(WRITE_SCOPE),
    is_granted: isGranted,
    trouble: own?.isOn ? (isGranted ? (own.state === 'ready' ? '' : own.state) : 'not_allowed') : '',
    said: own?.said ?? '',
    ...(await readUnrecorded(deps, accountId, own, before)),
  };
}

/** Switch it on or off. On again, what the CRM refused is tried once more. */
export async function saveWriteBack(deps: Deps, you: Merchant, isOn: boolean): Promise<WriteBack> {
  const { accountId, userId } = you;
  const before = await findWriteSettings(deps.db, accountId);
  const event = auditEvent(deps, {
    accountId,
    action: 'write-back.changed',
    subject: ['account', String(accountId)],
    before: { on: before?.isOn ?? false },
    after: { on: isOn },
  });
  await saveWriteSettings(deps.db, { accountId, isOn, by: userId }, deps.now(), event);
  deps.log.info('write-back-changed', { accountId, userId, isOn });
  return viewWriteBack(deps, you);
}
