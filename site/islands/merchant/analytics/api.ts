import type { PaymentAnalytics } from '../../../../shared/contracts/analytics.ts';
import type { Timeframe } from '../../../../shared/contracts/analytics-request.ts';
import { api } from '../api/api.ts';
import { isRecord, isText, type Reader } from '../api/parse-response.ts';

const isCounts = (value: unknown): value is Record<string, number> =>
  isRecord(value) && Object.values(value).every((count) => typeof count === 'number');
const isDay = (value: unknown): value is PaymentAnalytics['dailyPayments'][number] =>
  isRecord(value) && isText(value.date) && typeof value.amount === 'number';

export const readAnalytics: Reader<PaymentAnalytics> = (body) => {
  if (!isRecord(body) || !Array.isArray(body.dailyPayments) || !body.dailyPayments.every(isDay)) return null;
  const { dailyPayments, paymentMethods, transactionStatus } = body;
  return isCounts(paymentMethods) && isCounts(transactionStatus)
    ? { dailyPayments, paymentMethods, transactionStatus }
    : null;
};

export const getAnalytics = (timeframe: Timeframe, signal: AbortSignal) =>
  api.call(`/api/analytics/payments?timeframe=${timeframe}`, readAnalytics, { signal });
