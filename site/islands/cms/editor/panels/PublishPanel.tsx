import type { ArticleKind, ArticleStatus, PublishState } from '#shared/contracts/content/content';
import { articleStatuses } from '#shared/contracts/content/content-values';
import { articlePath } from '#shared/paths';
import type { ArticleDetail } from '#site/islands/cms/api.ts';
import { saveLabel } from '#site/islands/cms/texts.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { StatusSteps, type Stop } from '#site/islands/ui/feedback/StatusSteps.tsx';
import { formatSince } from '#site/islands/ui/format-moment.ts';
import { needsBuild, type Progress, showsSavedVersion } from '../article-state.ts';
import type { useLivePage } from '../use-live-page.ts';
import { ScheduleFields, type Times } from './ScheduleFields.tsx';

/** A page is live as soon as it is saved; lists follow with the next build. */
function publicationStepsOf(progress: Progress): Stop[] {
  const { saved, publish } = progress;
  const isLive = publish !== null && showsSavedVersion(progress);
  return [
    { name: 'Saved', state: 'done', time: formatSince(saved.updatedAt) },
    {
      name: 'Live at its address',
      state: isLive ? 'done' : 'ahead',
      time: isLive ? formatSince(saved.updatedAt) : undefined,
    },
    { name: 'In lists', ...listProgressOf(saved, publish) },
  ];
}

const timeOf = (iso: string | null) => (iso === null ? undefined : formatSince(iso));

function listProgressOf(saved: ArticleDetail, publish: PublishState | null): Omit<Stop, 'name'> {
  if (!publish) return { state: 'ahead' };
  if (!needsBuild(saved, publish)) return { state: 'done', time: timeOf(publish.reachedAt) };
  if (publish.state === 'failed') return { state: 'failed', time: 'Failed' };
  if (publish.state === 'waiting') return { state: 'ahead' };
  return { state: 'now', time: `Building${publish.progress === null ? '' : ` ${publish.progress}%`}` };
}

export const describeUndescribed = (count: number): string =>
  count === 1 ? '1 image has no description.' : `${count} images have no description.`;

type Props = {
  kind: ArticleKind;
  saved: ArticleDetail | null;
  site: ReturnType<typeof useLivePage>;
  status: ArticleStatus;
  onStatus(status: ArticleStatus): void;
  times: Times;
  onTimes(times: Times): void;
  /** Number of pictures in the text without a description. */
  undescribedCount: number;
};

/** The choice of the article's status and times, and the progress of its publication. */
export function PublishPanel(props: Props) {
  const { kind, saved, status, onStatus, times, onTimes, undescribedCount } = props;
  const { live, publish, retry } = props.site;
  const isPublic = saved?.status === 'PUBLISHED';
  const wasPublic = saved?.publishedAt != null;
  return (
    <section className="card editor-panel" aria-labelledby="publish">
      <h2 id="publish">Publish</h2>
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
      {saved && status !== saved.status && (
        <p className="app-quiet">
          {`Press ${saveLabel(saved.status, status, false)} to ${status === 'PUBLISHED' ? 'put it on the site' : 'take it off the site'}.`}
        </p>
      )}
      {saved && isPublic && (
        <StatusSteps label="On the way to the site" stops={publicationStepsOf({ saved, live, publish })} />
      )}
      {saved && wasPublic && publish && needsBuild(saved, publish) && publish.state === 'failed' && (
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
