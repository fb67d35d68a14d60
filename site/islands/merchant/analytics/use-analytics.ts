import { useCallback, useEffect, useState } from 'react';
import { AnalyticsComparison, PaymentAnalytics, type Timeframe } from '#shared/contracts/payments/analytics';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { type Answer, api } from '../api/api.ts';
import { logFailure } from '../common/use-load.tsx';

export type Figures<T> = {
  /** The latest figures and their timeframe, which stay while others load. Null at first and after a failure. */
  latest: { timeframe: Timeframe; value: T } | null;
  isLoading: boolean;
  /** The error message if the last attempt failed. */
  failure: string | null;
  retry(): void;
};

/** Loads the figures of a timeframe. A newer request cancels the older one. */
export function useFigures<T>(
  timeframe: Timeframe,
  get: (timeframe: Timeframe, signal: AbortSignal) => Promise<Answer<T>>,
): Figures<T> {
  const [latest, setLatest] = useState<Figures<T>['latest']>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(true);

  const load = useCallback(
    async (requested: Timeframe, signal: AbortSignal) => {
      setLoading(true);
      const answer = await get(requested, signal);
      if (signal.aborted) return;
      setLoading(false);
      setLatest(answer.ok ? { timeframe: requested, value: answer.value } : null);
      setFailure(answer.ok ? null : answer.error.message);
      if (!answer.ok) logFailure('Error fetching analytics data:', answer.error);
    },
    [get],
  );

  const [reloadCount, setReloadCount] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reloadCount` triggers a new request
  useEffect(() => {
    const controller = new AbortController();
    void load(timeframe, controller.signal);
    return () => controller.abort();
  }, [load, timeframe, reloadCount]);
  return { latest, isLoading, failure, retry: () => setReloadCount((count) => count + 1) };
}

const readAnalytics = readWith(PaymentAnalytics);
const readComparison = readWith(AnalyticsComparison);

export const getAnalytics = (timeframe: Timeframe, signal: AbortSignal) =>
  api.call(`/api/analytics/payments?timeframe=${timeframe}`, readAnalytics, { signal });
export const getComparison = (timeframe: Timeframe, signal: AbortSignal) =>
  api.call(`/api/analytics/comparison?timeframe=${timeframe}`, readComparison, { signal });
