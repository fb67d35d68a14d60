import { useEffect, useEffectEvent, useState } from 'react';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import type { Answer, ClientError } from '../api/api.ts';

/** Logs a failure for support, with a searchable sentence and the error's code. */
export function logFailure(sentence: string, { code, status }: ClientError): void {
  // biome-ignore lint/suspicious/noConsole: the console is the log of browser code
  console.error(sentence, code, status);
}

export type LoadState<T> = {
  /** The last loaded value, which is kept during a reload and after a failed one. */
  value: T | null;
  isLoading: boolean;
  /** The reason and the time of the last failure. */
  failure: { message: string; at: Date } | null;
  reload(): void;
};

/** Loads a value, and again whenever `key` changes or `reload` is called. Ignores replies to outdated requests. */
export function useLoad<T>(key: string, failureText: string, read: () => Promise<Answer<T>>): LoadState<T> {
  const [reloadCount, setReloadCount] = useState(0);
  const [loaded, setLoaded] = useState<{ key: string; value: T } | null>(null);
  const [failure, setFailure] = useState<LoadState<T>['failure']>(null);
  const [isLoading, setLoading] = useState(true);
  const requestValue = useEffectEvent(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: both trigger a new request
  useEffect(() => {
    let isOutdated = false;
    setLoading(true);
    void requestValue().then((answer) => {
      if (isOutdated) return;
      setLoading(false);
      if (answer.ok) {
        setLoaded({ key, value: answer.value });
        setFailure(null);
        return;
      }
      logFailure(failureText, answer.error);
      setFailure({ message: answer.error.message, at: new Date() });
    });
    return () => {
      isOutdated = true;
    };
  }, [key, reloadCount]);
  return {
    value: loaded?.key === key ? loaded.value : null,
    isLoading,
    failure,
    reload: () => setReloadCount((count) => count + 1),
  };
}

/** True when each load has a value or has failed. */
export const areSettled = (...loads: LoadState<unknown>[]): boolean =>
  loads.every(({ value, failure }) => value !== null || failure !== null);

/** A banner for a failed load. Without a value, it takes the place of the content. */
export function LoadFailure({ lead, load }: { lead: string; load: LoadState<unknown> }) {
  const { value, failure, isLoading, reload } = load;
  if (!failure) return null;
  const Container = value === null ? Banner : LateBanner;
  return (
    <Container
      tone="warn"
      role="alert"
      lead={`${lead} Last try ${formatTime(failure.at)}.`}
      actions={
        <button type="button" className="text-button" aria-disabled={isLoading || undefined} onClick={reload}>
          Retry
        </button>
      }
    >
      {failure.message}
    </Container>
  );
}
