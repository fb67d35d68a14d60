import * as z from 'zod/mini';
import { GetMerchant, Merchant, MerchantData } from '#shared/contracts/staff/session';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { api, sendJson } from '../api/api.ts';

const readMerchant = readWith(GetMerchant);
const readMerchantData = readWith(MerchantData);
/** The content of this reply is not used, since the merchant is fetched again afterwards. */
const readSetUp = readWith(z.object({ merchant: Merchant }));

export const fetchMerchant = () => api.call('/api/token/get-merchant', readMerchant);
export const fetchMerchantData = () => api.call('/api/token/get-merchant-data', readMerchantData);
export const setUpMerchant = (dbaName: string) =>
  api.call('/api/token/setup-merchant', readSetUp, sendJson('POST', { dbaName }));
