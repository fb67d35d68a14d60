import type { AppView, MerchantData } from '#shared/contracts/staff/session';
import type { StaffRight } from '#shared/contracts/staff/team-values';
import { formatMoney, ONLINE_CURRENCY } from '#shared/money';
import { describeRefundLimit, describeRightHolders } from '#shared/text/staff-roles';
import { findMerchantData, listColleagues, type MerchantRow } from '#worker/data/merchants/merchants';
import type { accounts } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';

/** A claim without an application is not shown as a merchant. */
export const presentMerchant = (row: MerchantRow | undefined): MerchantData['merchant'] =>
  row && row.status !== 'applying' ? { merchant_name: row.name, signup_url: row.signupUrl, status: row.status } : null;

/** Returns '' for an unknown zone, which would break the formatting of times on screens. */
function knownZone(timeZone: string): string {
  try {
    // biome-ignore lint/plugin: only the error of an unknown zone counts
    return new Intl.DateTimeFormat('en-US', { timeZone }) && timeZone;
  } catch {
    return '';
  }
}

type AccountView = Pick<AppView, 'data' | 'colleagues' | 'isNew' | 'timeZone'> & {
  person: { name: string; email: string };
};

/**
 * An account's merchant record with its terminals and its log, newest event first; whether the list of its first hour
 * is still shown; its IANA time zone, '' if unknown to browsers; and the caller's name and address.
 */
export async function viewAccount(deps: Deps, accountId: number, userId?: number): Promise<AccountView> {
  const { account, devices, logs } = await findMerchantData(deps.db, accountId, userId);
  const row = account?.merchant ?? undefined;
  const merchant = presentMerchant(row);
  // The provider's messages begin after the application, so the log starts with the time of the claim.
  const events = row && merchant ? [...logs, { event: 'Applied', at: row.claimedAt }] : logs;
  const data = {
    merchant,
    devices: devices.map(({ terminalId, name }) => ({ terminal_id: terminalId, terminal_name: name })),
    logs: events.map(({ event, at }) => ({ event, created_at: new Date(at).toISOString() })),
  };
  const person = { name: account?.personName ?? '', email: account?.personEmail ?? '' };
  const colleagues = JSON.parse(account?.colleagues ?? '[]') as AppView['colleagues'];
  return { data, colleagues, isNew: !account?.firstHourEndedAt, timeZone: knownZone(account?.timeZone ?? ''), person };
}

/** Tells a person who lacks a right which colleagues have it and can be asked. `action` completes "may …". */
export const describeMissingRight = async (
  deps: Deps,
  person: { accountId: number; userId: number },
  right: StaffRight,
  action = 'do this',
): Promise<string> => describeRightHolders(right, action, await listColleagues(deps.db, person));

/** Explains the refusal of a refund above a person's limit. `remainingCents`: the amount that they may still refund. */
export const describeOwnLimit = async (
  deps: Deps,
  person: { accountId: number; userId: number },
  remainingCents: number,
): Promise<string> =>
  describeRefundLimit(formatMoney(remainingCents, ONLINE_CURRENCY), await listColleagues(deps.db, person));

export const viewMerchant = async (deps: Deps, accountId: number): Promise<MerchantData> =>
  (await viewAccount(deps, accountId)).data;

/** The name shown to payers: the trading name once the business has applied under it, else its CRM account's name. */
export const businessName = (
  account: Pick<typeof accounts.$inferSelect, 'name'>,
  merchant: Pick<MerchantRow, 'name' | 'status'> | null | undefined,
): string => (merchant && merchant.status !== 'applying' ? merchant.name : account.name);
