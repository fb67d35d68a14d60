import type {
  Device,
  GetMerchant,
  Merchant,
  MerchantData,
  MerchantLog,
  MerchantStatus,
} from '../../../../shared/contracts/session.ts';
import { isRecord, isText, type Reader } from '../../ui/api/parse-response.ts';
import { api, sendJson } from '../api/api.ts';

/** By hand: the validator of this contract would come along with every view that reads devices. */
const statuses: MerchantStatus[] = ['applied', 'pended', 'in-review', 'approved', 'declined', 'boarded'];

const isMerchant = (value: unknown): value is Merchant =>
  isRecord(value) &&
  isText(value.merchant_name) &&
  isText(value.signup_url) &&
  statuses.some((status) => status === value.status);
const isDevice = (value: unknown): value is Device =>
  isRecord(value) && isText(value.terminal_id) && isText(value.terminal_name);
const isLog = (value: unknown): value is MerchantLog =>
  isRecord(value) && isText(value.event) && isText(value.created_at);

export const readMerchantData: Reader<MerchantData> = (body) => {
  if (!isRecord(body) || !Array.isArray(body.devices) || !Array.isArray(body.logs)) return null;
  const { merchant, devices, logs } = body;
  if (merchant !== null && !isMerchant(merchant)) return null;
  return devices.every(isDevice) && logs.every(isLog) ? { merchant, devices, logs } : null;
};

export const readMerchant: Reader<GetMerchant> = (body) =>
  isRecord(body) && (body.merchant === null || isMerchant(body.merchant)) ? { merchant: body.merchant } : null;

/** The merchant is read again afterwards, so nothing of this reply is used. */
export const readSetUp: Reader<Record<string, unknown>> = (body) =>
  isRecord(body) && isMerchant(body.merchant) ? body : null;

export const fetchMerchant = () => api.call('/api/token/get-merchant', readMerchant);
export const fetchMerchantData = () => api.call('/api/token/get-merchant-data', readMerchantData);
export const setUpMerchant = (dbaName: string) =>
  api.call('/api/token/setup-merchant', readSetUp, sendJson('POST', { dbaName }));
