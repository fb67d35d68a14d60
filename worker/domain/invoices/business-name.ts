import type { MerchantRow } from '#worker/data/merchants/merchants';
import type { accounts } from '#worker/data/schema/schema';

/** What payers know a business by: the name it trades under, once it has applied under it; else that of its CRM account. */
export const businessName = (
  account: Pick<typeof accounts.$inferSelect, 'name'>,
  merchant: Pick<MerchantRow, 'name' | 'status'> | null | undefined,
): string => (merchant && merchant.status !== 'applying' ? merchant.name : account.name);
