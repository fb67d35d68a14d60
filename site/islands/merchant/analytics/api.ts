import { AnalyticsComparison, PaymentAnalytics } from '#shared/contracts/analytics';
import type { Timeframe } from '#shared/contracts/analytics-request';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { api } from '../api/api.ts';

const readAnalytics = readWith(PaymentAnalytics);
const readComparison = readWith(AnalyticsComparison);

export const getAnalytics = (timeframe: Timeframe, signal: AbortSignal) =>
  api.call(`/api/analytics/payments?timeframe=${timeframe}`, readAnalytics, { signal });
export const getComparison = (timeframe: Timeframe, signal: AbortSignal) =>
  api.call(`/api/analytics/comparison?timeframe=${timeframe}`, readComparison, { signal });
