import { useCallback, useEffect, useState } from 'react';
import type { PaymentAnalytics } from '../../../../shared/contracts/analytics.ts';
import type { Timeframe } from '../../../../shared/contracts/analytics-request.ts';
import { logFailure } from '../api/log-failure.ts';
import { getAnalytics } from './api.ts';

export type AnalyticsView = {
  /** The last figures, also while newer ones load; null: none yet, or the last try failed. */
  analytics: PaymentAnalytics | null;
  isLoading: boolean;
  /** Why the last try failed. */
  failure: string | null;
  retry(): void;
};

/** The figures of a timeframe. A newer request cancels the older one. */
export function useAnalytics(timeframe: Timeframe): AnalyticsView {
  const [analytics, setAnalytics] = useState<PaymentAnalytics | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(true);

  const ask = useCallback(async (of: Timeframe, signal: AbortSignal) => {
    setLoading(true);
    const answer = await getAnalytics(of, signal);
    if (signal.aborted) return;
    setLoading(false);
    setAnalytics(answer.ok ? answer.value : null);
    setFailure(answer.ok ? null : answer.error.message);
    if (!answer.ok) logFailure('Error fetching analytics data:', answer.error);
  }, []);

  const [reloads, setReloads] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks again
  useEffect(() => {
    const call = new AbortController();
    void ask(timeframe, call.signal);
    return () => call.abort();
  }, [ask, timeframe, reloads]);
  return { analytics, isLoading, failure, retry: () => setReloads((before) => before + 1) };
}
