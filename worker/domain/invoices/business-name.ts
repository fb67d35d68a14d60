import type { MerchantRow } from '#worker/data/merchants/merchants';
import type { accounts } from '#worker/data/schema/schema';

/** The name that payers know: the trading name once the business has applied under it, else its CRM account's. */
export const businessName = (
  account: Pick<typeof accounts.$inferSelect, 'name'>,
  merchant: Pick<MerchantRow, 'name' | 'status'> | null | undefined,
): string => (merchant && merchant.status !== 'applying' ? merchant.name : account.name);
