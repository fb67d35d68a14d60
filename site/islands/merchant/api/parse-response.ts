import type {
  Device,
  GetMerchant,
  Merchant,
  MerchantData,
  MerchantLog,
  MerchantStatus,
  RefreshedToken,
  TokenStatus,
} from '../../../../shared/contracts/session.ts';
import { isRecord, isText, isTexts, type Reader } from '../../ui/api/parse-response.ts';

export { type ClientError, isRecord, isText, isTextOrNull, type Reader } from '../../ui/api/parse-response.ts';

/** Readers of the Worker's replies to a merchant. */
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

export const readMerchant: Reader<GetMerchant> = (body) =>
  isRecord(body) && (body.merchant === null || isMerchant(body.merchant)) ? { merchant: body.merchant } : null;

export const readMerchantData: Reader<MerchantData> = (body) => {
  if (!isRecord(body) || !Array.isArray(body.devices) || !Array.isArray(body.logs)) return null;
  const { merchant, devices, logs } = body;
  if (merchant !== null && !isMerchant(merchant)) return null;
  return devices.every(isDevice) && logs.every(isLog) ? { merchant, devices, logs } : null;
};

/** The merchant is read again afterwards, so nothing of this reply is used. */
export const readSetUp: Reader<Record<string, unknown>> = (body) =>
  isRecord(body) && isMerchant(body.merchant) ? body : null;

export const readUser: Reader<TokenStatus['data']> = (body) => {
  const data = isRecord(body) && isRecord(body.data) ? body.data : {};
  const { user, user_id, token_type, hub_domain, scopes } = data;
  const isUser = isText(user) && typeof user_id === 'number' && isText(token_type) && isText(hub_domain);
  return isUser && isTexts(scopes) ? { user, user_id, token_type, hub_domain, scopes } : null;
};

export const readRefreshed: Reader<RefreshedToken> = (body) =>
  isRecord(body) && isText(body.accessToken) ? { accessToken: body.accessToken } : null;
