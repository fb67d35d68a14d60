import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { formatSince, formatTime } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import type { List } from './use-list.ts';
import '#site/styles/parts/feedback/progress.css';

const numberFormat = new Intl.NumberFormat('en-US');

type Props = { noun: string; list: List<unknown> };

const RetryButton = ({ list }: Pick<Props, 'list'>) => (
  <button type="button" className="text-button" onClick={list.retry}>
    Retry
  </button>
);

/** Shows why a list could not be loaded: in place of its table, or below the rows that were loaded earlier. */
export function ListFailure({ noun, list }: Props) {
  const { failure, info } = list;
  if (!failure) return null;
  const Notice = info === null ? Banner : LateBanner;
  return (
    <Notice
      tone="warn"
      role="alert"
      lead={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} could not be loaded. Last try ${formatTime(failure.at)}.`}
      actions={<RetryButton list={list} />}
    >
      {failure.message}
    </Notice>
  );
}

/** Shows that a list is out of date or still being copied. The list's header reserves space for this notice. */
export function ListState({ noun, list }: Props) {
  const { info } = list;
  if (info?.isStale) {
    return (
      <p className="list-stale" role="status">
        <Icon name="warn" size="sm" />
        <span>
          HubSpot is not answering. Showing {info.asOf ? `data from ${formatSince(info.asOf)}` : 'the last copy'}.{' '}
          <RetryButton list={list} />
        </span>
      </p>
    );
  }
  if (!info?.copying) return null;
  const { copied, expected } = info.copying;
  return (
    <div className="progress">
      <p>
        Copying {noun} from your CRM: {numberFormat.format(copied)} of {numberFormat.format(expected)}. You can already
        work.
      </p>
      <progress aria-label={`Copying ${noun}`} value={copied} max={Math.max(expected, 1)} />
    </div>
  );
}
