import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { formatSince, formatTime } from '#site/islands/ui/format-moment.ts';
import type { List } from './use-list.ts';
import '#site/styles/parts/feedback/progress.css';

const count = new Intl.NumberFormat('en-US');

/** A notice above a list: first full scan under way, old data, or not loaded. */
export function ListNotice({ noun, list }: { noun: string; list: List<unknown> }) {
  const { failure, info, retry } = list;
  const again = (
    <button type="button" className="text-button" onClick={retry}>
      Retry
    </button>
  );
  if (failure) {
    return (
      <Banner
        tone="warn"
        role="alert"
        lead={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} could not be loaded. Last try ${formatTime(failure.at)}.`}
        actions={again}
      >
        {failure.message}
      </Banner>
    );
  }
  if (info?.isStale) {
    const at = info.asOf ? `data from ${formatSince(info.asOf)}` : 'the last copy';
    return <Banner tone="warn" lead={`HubSpot is not answering. Showing ${at}.`} actions={again} />;
  }
  if (!info?.copying) return null;
  const { copied, expected } = info.copying;
  return (
    <div className="progress">
      <p>
        Copying {noun} from your CRM: {count.format(copied)} of {count.format(expected)}. You can already work.
      </p>
      <progress aria-label={`Copying ${noun}`} value={copied} max={Math.max(expected, 1)} />
    </div>
  );
}
