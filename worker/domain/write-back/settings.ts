import type { WriteBack } from '#shared/contracts/payments/write-back';
import { findTokens } from '#worker/data/crm-sync/tokens';
import type { LedgerPosition } from '#worker/data/write-back/unrecorded';
import { findWriteSettings, saveWriteSettings } from '#worker/data/write-back/writes';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import { NEWEST_POSITION, readUnrecorded } from './unrecorded.ts';

/** The scope that recording requires; the app declares both scopes as optional. */
export const WRITE_SCOPE = 'crm.objects.commercepayments.write';
export const WRITE_SCOPES = ['crm.objects.commercepayments.read', WRITE_SCOPE];

/** The account's recording setting, and a page of the payments before `position` that are missing in the CRM. */
export async function viewWriteBack(
  deps: Deps,
  { accountId }: Pick<Merchant, 'accountId'>,
  position: LedgerPosition = NEWEST_POSITION,
): Promise<WriteBack> {
  const { db, settings } = deps;
  const storedSettings = await findWriteSettings(db, accountId);
  const tokens = await findTokens(db, accountId);
  const isGranted = tokens?.revokedAt === null && tokens.scopes.split(' ').includes(WRITE_SCOPE);
  return {
    is_on: storedSettings?.isOn ?? false,
    is_offered: settings.HUBSPOT_OPTIONAL_SCOPES.split(' ').includes(WRITE_SCOPE),
    is_granted: isGranted,
    trouble: storedSettings?.isOn
      ? isGranted
        ? storedSettings.state === 'ready'
          ? ''
          : storedSettings.state
        : 'not_allowed'
      : '',
    said: storedSettings?.said ?? '',
    ...(await readUnrecorded(deps, accountId, storedSettings, position)),
  };
}

/** Switches recording on or off. Switching it on retries the records that the CRM refused. */
export async function saveWriteBack(deps: Deps, merchant: Merchant, isOn: boolean): Promise<WriteBack> {
  const { accountId, userId } = merchant;
  const previous = await findWriteSettings(deps.db, accountId);
  const event = auditEvent(deps, {
    accountId,
    action: 'write-back.changed',
    subject: ['account', String(accountId)],
    before: { on: previous?.isOn ?? false },
    after: { on: isOn },
  });
  await saveWriteSettings(deps.db, { accountId, isOn, changedBy: userId }, deps.now(), event);
  deps.log.info('write-back-changed', { accountId, userId, isOn });
  return viewWriteBack(deps, merchant);
}
