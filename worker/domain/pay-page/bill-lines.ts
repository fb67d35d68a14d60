import type { BillLinesSetting } from '#shared/contracts/bill-lines';
import { findShowsLines, saveShowsLines } from '#worker/data/merchants/bill-lines';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';

/** Whether the payers of an account see what is on their bill. */
export const viewBillLines = async (deps: Deps, { accountId }: Merchant): Promise<BillLinesSetting> => ({
  is_on: await findShowsLines(deps.db, accountId),
});

/** Show it, or show it no more: from then on, on receipts of earlier payments too. */
export async function setBillLines(deps: Deps, you: Merchant, isOn: boolean): Promise<BillLinesSetting> {
  const { accountId, userId } = you;
  const subject: [string, string] = ['account', String(accountId)];
  const event = auditEvent(deps, { accountId, action: 'bill-lines.changed', subject, after: { on: isOn } });
  await saveShowsLines(deps.db, accountId, isOn, event);
  deps.log.info('bill-lines-changed', { accountId, userId, isOn });
  return { is_on: isOn };
}
