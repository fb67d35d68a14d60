import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import type { Loaded } from './use-load.ts';

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
