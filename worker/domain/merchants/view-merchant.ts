import type { MerchantData } from '#shared/contracts/session';
import { findMerchantData, type MerchantRow } from '#worker/data/merchants/merchants';
import type { Deps } from '#worker/deps';

/** A claim without an application is not shown as a merchant. */
export const presentMerchant = (row: MerchantRow | undefined): MerchantData['merchant'] =>
  row && row.status !== 'applying' ? { merchant_name: row.name, signup_url: row.signupUrl, status: row.status } : null;

/** An account's merchant record with its terminals and its log, the newest event first. */
export async function viewMerchant(deps: Deps, accountId: number): Promise<MerchantData> {
  const { merchant: row, devices, logs } = await findMerchantData(deps.db, accountId);
  const merchant = presentMerchant(row);
  // The provider's messages begin after an application was made, so the log begins with the time of the claim.
  const events = row && merchant ? [...logs, { event: 'Applied', at: row.claimedAt }] : logs;
  return {
    merchant,
    devices: devices.map(({ terminalId, name }) => ({ terminal_id: terminalId, terminal_name: name })),
    logs: events.map(({ event, at }) => ({ event, created_at: new Date(at).toISOString() })),
  };
}
