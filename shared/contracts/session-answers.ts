import * as z from 'zod/mini';
import { Merchant } from './session.ts';

/** What pages know by type alone: here, since a page keeps each schema of a file that it reads. */

/** POST /api/token/setup-merchant, body `{ dbaName }` */
export const SetUpMerchant = z.object({
  merchant: Merchant,
  merchantToToken: z.object({ hub_id: z.number(), merchant_number: z.string() }),
});
export type SetUpMerchant = z.infer<typeof SetUpMerchant>;

/** GET /app_url */
export const AppAddress = z.object({ appUrl: z.string() });
