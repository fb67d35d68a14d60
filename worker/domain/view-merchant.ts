import type { MerchantData } from '#shared/contracts/session';
import { findMerchantData, type MerchantRow } from '../data/merchants.ts';
import type { Deps } from '../deps.ts';

/** A claim that has no application yet is no merchant for anybody to see. */
export const shownMerchant = (row: MerchantRow | undefined): MerchantData['merchant'] =>
  row && row.status !== 'applying' ? { merchant_name: row.name, signup_url: row.signupUrl, status: row.status } : null;

/** A hub's merchant record with its devices and what the provider told. */
export async function viewMerchant(deps: Deps, hubId: number): Promise<MerchantData> {
  const { merchant, devices, logs } = await findMerchantData(deps.db, hubId);
  return {
    merchant: shownMerchant(merchant),
    devices: devices.map(({ terminalId, name }) => ({ terminal_id: terminalId, terminal_name: name })),
    logs: logs.map(({ event, at }) => ({ event, created_at: new Date(at).toISOString() })),
  };
}
