import { useEffect, useEffectEvent, useState } from 'react';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import type { Answer, ClientError } from '../api/api.ts';

/** For support: a sentence to search for, and the error's code. */
export function logFailure(sentence: string, { code, status }: ClientError): void {
  // biome-ignore lint/suspicious/noConsole: the browser's console is the log of what runs in it
  console.error(sentence, code, status);
}

export type Loaded<T> = {
  /** The last value; it stays during a reload, and when that fails. */
  value: T | null;
  isReading: boolean;
  /** Reason and time of the last failure. */
  failure: { message: string; at: Date } | null;
  reload(): void;
};

/** Loads a value, again whenever `key` changes or `reload` is called; the reply of an outdated load is dropped. */
export function useLoad<T>(key: string, what: string, read: () => Promise<Answer<T>>): Loaded<T> {
  const [reloads, setReloads] = useState(0);
  const [shown, setShown] = useState<{ key: string; value: T } | null>(null);
  const [failure, setFailure] = useState<Loaded<T>['failure']>(null);
  const [isReading, setReading] = useState(true);
  const onRead = useEffectEvent(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: both say that it is to be read again
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

/** Says that something could not be loaded, as opposed to being empty. */
export function LoadFailure({ lead, load }: { lead: string; load: Loaded<unknown> }) {
  const { failure, isReading, reload } = load;
  if (!failure) return null;
  return (
    <Banner
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
    </Banner>
  );
}
