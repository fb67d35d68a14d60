import type { AppView, MerchantData } from '#shared/contracts/staff/session';
import { findMerchantData, type MerchantRow } from '#worker/data/merchants/merchants';
import type { accounts } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';

/** A claim without an application is not shown as a merchant. */
export const presentMerchant = (row: MerchantRow | undefined): MerchantData['merchant'] =>
  row && row.status !== 'applying' ? { merchant_name: row.name, signup_url: row.signupUrl, status: row.status } : null;

/** '' for a zone that nobody knows: a screen that formats a time in it would break. */
function knownZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }) && timeZone;
  } catch {
    return '';
  }
}

type AccountView = Pick<AppView, 'data' | 'isNew' | 'timeZone'> & { person: { name: string; email: string } };

/**
 * An account's merchant record with its terminals and its log, the newest event first; whether the list of its first hour
 * is still shown, and its IANA time zone; '' before it has signed up. And who asks.
 */
export async function viewAccount(deps: Deps, accountId: number, userId?: number): Promise<AccountView> {
  const { merchant: row, devices, logs } = await findMerchantData(deps.db, accountId, userId);
  const merchant = presentMerchant(row);
  // The provider's messages begin after an application was made, so the log begins with the time of the claim.
  const events = row && merchant ? [...logs, { event: 'Applied', at: row.claimedAt }] : logs;
  const data = {
    merchant,
    devices: devices.map(({ terminalId, name }) => ({ terminal_id: terminalId, terminal_name: name })),
    logs: events.map(({ event, at }) => ({ event, created_at: new Date(at).toISOString() })),
  };
  const person = { name: row?.personName ?? '', email: row?.personEmail ?? '' };
  return { data, isNew: !row?.firstHourEndedAt, timeZone: knownZone(row?.timeZone ?? ''), person };
}

export const viewMerchant = async (deps: Deps, accountId: number): Promise<MerchantData> =>
  (await viewAccount(deps, accountId)).data;

/** The name that payers know: the trading name once the business has applied under it, else its CRM account's. */
export const businessName = (
  account: Pick<typeof accounts.$inferSelect, 'name'>,
  merchant: Pick<MerchantRow, 'name' | 'status'> | null | undefined,
): string => (merchant && merchant.status !== 'applying' ? merchant.name : account.name);
