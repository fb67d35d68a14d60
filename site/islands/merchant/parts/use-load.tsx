import { useEffect, useEffectEvent, useState } from 'react';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import type { Answer, ClientError } from '../api/api.ts';

/** Logs a failure for support: a sentence to search for, and the error's code. */
export function logFailure(sentence: string, { code, status }: ClientError): void {
  // biome-ignore lint/suspicious/noConsole: the console is the log of browser code
  console.error(sentence, code, status);
}

export type Loaded<T> = {
  /** The last value, kept during a reload and after a failed one. */
  value: T | null;
  isReading: boolean;
  /** Reason and time of the last failure. */
  failure: { message: string; at: Date } | null;
  reload(): void;
};

/** Loads a value, and again when `key` changes or `reload` is called. The reply of an outdated load is dropped. */
export function useLoad<T>(key: string, what: string, read: () => Promise<Answer<T>>): Loaded<T> {
  const [reloads, setReloads] = useState(0);
  const [shown, setShown] = useState<{ key: string; value: T } | null>(null);
  const [failure, setFailure] = useState<Loaded<T>['failure']>(null);
  const [isReading, setReading] = useState(true);
  const onRead = useEffectEvent(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: either one triggers a reload
  useEffect(() => {
    let isOvertaken = false;
    setReading(true);
    void onRead().then((answer) => {
      if (isOvertaken) return;
      setReading(false);
      if (answer.ok) {
        setShown({ key, value: answer.value });
        setFailure(null);
        return;
      }
      logFailure(what, answer.error);
      setFailure({ message: answer.error.message, at: new Date() });
    });
    return () => {
      isOvertaken = true;
    };
  }, [key, reloads]);
  return {
    value: shown?.key === key ? shown.value : null,
    isReading,
    failure,
    reload: () => setReloads((last) => last + 1),
  };
}

/** True once each load has a value or has failed. */
export const areSettled = (...loads: Loaded<unknown>[]): boolean =>
  loads.every(({ value, failure }) => value !== null || failure !== null);

/** A banner for a failed load, as opposed to an empty result. It takes the place of the value, if there is none. */
export function LoadFailure({ lead, load }: { lead: string; load: Loaded<unknown> }) {
  const { value, failure, isReading, reload } = load;
  if (!failure) return null;
  const Place = value === null ? Banner : LateBanner;
  return (
    <Place
      tone="warn"
      role="alert"
      lead={`${lead} Last try ${formatTime(failure.at)}.`}
      actions={
        <button type="button" className="text-button" aria-disabled={isReading || undefined} onClick={reload}>
          Retry
        </button>
      }
    >
      {failure.message}
    </Place>
  );
}
