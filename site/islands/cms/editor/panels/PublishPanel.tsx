import type { ArticleKind, ArticleStatus, PublishState } from '#shared/contracts/content/content';
import { articleStatuses } from '#shared/contracts/content/content-values';
import { articlePath } from '#shared/paths';
import type { Detail } from '#site/islands/cms/api.ts';
import { StatusBadge } from '#site/islands/cms/lists/articles.tsx';
import { saveLabel } from '#site/islands/cms/texts.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { StatusSteps, type Stop } from '#site/islands/ui/feedback/StatusSteps.tsx';
import { formatMoment, formatSince } from '#site/islands/ui/format-moment.ts';
import { type LivePage, useLivePage } from '../use-live-page.ts';
import { ScheduleFields, type Times } from './ScheduleFields.tsx';

/** The progress of a published version: at its own address, and in lists, which need a build. */
type Progress = { saved: Detail; live: LivePage; publish: PublishState | null };

const CHECKING = 'Looking at the live page...';
export const goneTexts: Record<LivePage['kind'], string> = {
  unknown: CHECKING,
  missing: 'No longer on the site.',
  shown: 'Still on the site.',
};

export const isBehind = ({ revision }: Detail, publish: PublishState | null): boolean =>
  publish !== null && revision > publish.liveRevision;
const isShown = ({ saved, live }: Progress) => live.kind === 'shown' && live.version === saved.version;

/** A page is live as soon as it is saved; lists follow with the next build. */
export function stopsOf(progress: Progress): Stop[] {
  const { saved, publish } = progress;
  const isLive = publish !== null && isShown(progress);
  return [
    { name: 'Saved', state: 'done', time: formatSince(saved.updatedAt) },
    {
      name: 'Live at its address',
      state: isLive ? 'done' : 'ahead',
      time: isLive ? formatSince(saved.updatedAt) : undefined,
    },
    { name: 'In lists', ...listsOf(saved, publish) },
  ];
}

const timeOf = (iso: string | null) => (iso === null ? undefined : formatSince(iso));

function listsOf(saved: Detail, publish: PublishState | null): Omit<Stop, 'name'> {
  if (!publish) return { state: 'ahead' };
  if (!isBehind(saved, publish)) return { state: 'done', time: timeOf(publish.reachedAt) };
  if (publish.state === 'failed') return { state: 'failed', time: 'Failed' };
  if (publish.state === 'waiting') return { state: 'ahead' };
  return { state: 'now', time: `Building${publish.progress === null ? '' : ` ${publish.progress}%`}` };
}

/** The scheduled changes of the saved version, as sentences. */
export const describePlans = ({ startsAt, endsAt }: Pick<Detail, 'startsAt' | 'endsAt'>): string[] => [
  ...(startsAt === null ? [] : [`Goes live ${formatMoment(startsAt)}.`]),
  ...(endsAt === null ? [] : [`Leaves the site ${formatMoment(endsAt)}.`]),
];

export const describeUndescribed = (count: number): string =>
  count === 1 ? '1 image has no description.' : `${count} images have no description.`;

export function describeLive(progress: Progress): string {
  const { saved, live, publish } = progress;
  if (live.kind === 'unknown' || publish === null) return CHECKING;
  if (!isBehind(saved, publish)) return live.kind === 'shown' ? 'Live.' : 'The live page could not be read.';
  if (isShown(progress)) return 'Live at its address; lists follow with the build.';
  if (publish.state === 'failed') return 'Not live yet.';
  const when = publish.state === 'waiting' ? 'The build is about to start' : publish.step || 'Building';
  return live.kind === 'shown' ? `${when}. Its page shows version ${live.version}.` : `${when}.`;
}

type Props = {
  kind: ArticleKind;
  saved: Detail | null;
  status: ArticleStatus;
  onStatus(status: ArticleStatus): void;
  times: Times;
  onTimes(times: Times): void;
  /** Number of pictures in the text without a description. */
  undescribedCount: number;
};

/** The article's status, and the progress of its publication. */
export function PublishPanel({ kind, saved, status, onStatus, times, onTimes, undescribedCount }: Props) {
  const { live, publish, retry } = useLivePage(kind, saved);
  const isPublic = saved?.status === 'PUBLISHED';
  const wasPublic = saved?.publishedAt != null;
  return (
    <section className="card editor-panel" aria-labelledby="publish">
      <div className="panel-head">
        <h2 id="publish">Publish</h2>
        {saved && <StatusBadge status={saved.status} startsAt={saved.startsAt} />}
      </div>
      <fieldset className="status">
        <legend>Status</legend>
        <div className="status-choices">
          {articleStatuses.map((option) => (
            <label key={option}>
              <input
                type="radio"
                name="status"
                value={option}
                checked={status === option}
                onChange={() => onStatus(option)}
              />
              <span>{option}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <ScheduleFields status={status} times={times} onTimes={onTimes} />
      {saved &&
        describePlans(saved).map((line) => (
          <p key={line} className="app-quiet">
            {line}
          </p>
        ))}
      {saved && status !== saved.status && (
        <p className="app-quiet">
          {`Press ${saveLabel(saved.status, status, false)} to ${status === 'PUBLISHED' ? 'put it on the site' : 'take it off the site'}.`}
        </p>
      )}
      {saved && isPublic && (
        <>
          <StatusSteps label="On the way to the site" stops={stopsOf({ saved, live, publish })} />
          <p role="status" className="app-quiet">
            {describeLive({ saved, live, publish })}
          </p>
        </>
      )}
      {saved && !isPublic && wasPublic && (
        <p role="status" className="app-quiet">
          {goneTexts[live.kind]}
        </p>
      )}
      {saved && wasPublic && publish && isBehind(saved, publish) && publish.state === 'failed' && (
        <Banner
          tone="bad"
          lead={`The build failed: ${publish.reason}`}
          actions={
            <button type="button" className="text-button" onClick={() => void retry()}>
              Retry
            </button>
          }
        >
          Your text is saved.
        </Banner>
      )}
      {isPublic && live.kind === 'shown' && (
        <a className="cms-live-link" href={articlePath(kind, saved.slug)} target="_blank" rel="noreferrer">
          View on the site
        </a>
      )}
      {/* At the end, so that no control moves when it appears. */}
      {undescribedCount > 0 && (
        <p role="status" className="app-quiet">
          {describeUndescribed(undescribedCount)}
        </p>
      )}
    </section>
  );
}
