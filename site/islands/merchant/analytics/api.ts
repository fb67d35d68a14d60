import type { AnalyticsComparison, PaymentAnalytics } from '../../../../shared/contracts/analytics.ts';
import type { Timeframe } from '../../../../shared/contracts/analytics-request.ts';
import { api } from '../api/api.ts';
import { isRecord, isText, type Reader } from '../api/parse-response.ts';

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isCounts = (value: unknown): value is Record<string, number> =>
  isRecord(value) && Object.values(value).every(isNumber);
const isDay = (value: unknown): value is PaymentAnalytics['dailyPayments'][number] =>
  isRecord(value) && isText(value.date) && isNumber(value.amount);
const isDays = (value: unknown): value is PaymentAnalytics['dailyPayments'] =>
  Array.isArray(value) && value.every(isDay);

export const readAnalytics: Reader<PaymentAnalytics> = (body) => {
  if (!isRecord(body) || !isDays(body.dailyPayments)) return null;
  const { dailyPayments, paymentMethods, transactionStatus } = body;
  return isCounts(paymentMethods) && isCounts(transactionStatus)
    ? { dailyPayments, paymentMethods, transactionStatus }
    : null;
};

const isHours = (value: unknown): value is number[][] =>
  Array.isArray(value) && value.every((day) => Array.isArray(day) && day.every(isNumber));

const readComparison: Reader<AnalyticsComparison> = (body) => {
  if (!isRecord(body) || !isRecord(body.refunds) || !isRecord(body.before) || !isHours(body.hours)) return null;
  const [{ amount, count }, { payments, dailyPayments }] = [body.refunds, body.before];
  return isNumber(amount) && isNumber(count) && isNumber(payments) && isDays(dailyPayments)
    ? { refunds: { amount, count }, before: { payments, dailyPayments }, hours: body.hours }
    : null;
};

export const getAnalytics = (timeframe: Timeframe, signal: AbortSignal) =>
  api.call(`/api/analytics/payments?timeframe=${timeframe}`, readAnalytics, { signal });
export const getComparison = (timeframe: Timeframe, signal: AbortSignal) =>
  api.call(`/api/analytics/comparison?timeframe=${timeframe}`, readComparison, { signal });
