import { useCallback, useEffect, useState } from 'react';
import { AnalyticsComparison, PaymentAnalytics, type Timeframe } from '#shared/contracts/payments/analytics';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { type Answer, api } from '../api/api.ts';
import { logFailure } from '../parts/use-load.tsx';

export type Figures<T> = {
  /** The last figures and their timeframe, kept while newer ones load; null: none yet, or the last try failed. */
  shown: { of: Timeframe; value: T } | null;
  isLoading: boolean;
  /** The message of the last failure. */
  failure: string | null;
  retry(): void;
};

/** The figures of a timeframe. A newer request cancels the older one. */
export function useFigures<T>(
  timeframe: Timeframe,
  get: (of: Timeframe, signal: AbortSignal) => Promise<Answer<T>>,
): Figures<T> {
  const [shown, setShown] = useState<Figures<T>['shown']>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(true);

  const ask = useCallback(
    async (of: Timeframe, signal: AbortSignal) => {
      setLoading(true);
      const answer = await get(of, signal);
      if (signal.aborted) return;
      setLoading(false);
      setShown(answer.ok ? { of, value: answer.value } : null);
      setFailure(answer.ok ? null : answer.error.message);
      if (!answer.ok) logFailure('Error fetching analytics data:', answer.error);
    },
    [get],
  );

  const [reloads, setReloads] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn is a new request
  useEffect(() => {
    const call = new AbortController();
    void ask(timeframe, call.signal);
    return () => call.abort();
  }, [ask, timeframe, reloads]);
  return { shown, isLoading, failure, retry: () => setReloads((before) => before + 1) };
}

const readAnalytics = readWith(PaymentAnalytics);
const readComparison = readWith(AnalyticsComparison);

export const getAnalytics = (timeframe: Timeframe, signal: AbortSignal) =>
  api.call(`/api/analytics/payments?timeframe=${timeframe}`, readAnalytics, { signal });
export const getComparison = (timeframe: Timeframe, signal: AbortSignal) =>
  api.call(`/api/analytics/comparison?timeframe=${timeframe}`, readComparison, { signal });
