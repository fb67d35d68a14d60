import type { ArticleKind, ArticleStatus } from '#shared/contracts/content/content';
import { articleStatuses } from '#shared/contracts/content/content-values';
import { articlePath } from '#shared/paths';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { StatusSteps } from '#site/islands/ui/feedback/StatusSteps.tsx';
import type { Detail } from '../parse-response.ts';
import { saveWord } from '../save-word.ts';
import { useLivePage } from '../use-live-page.ts';
import { ScheduleFields, type Times } from './ScheduleFields.tsx';
import { isBehind, sayGone, sayLive, sayPlanned, stopsOf } from './way-to-site.ts';

type Props = {
  kind: ArticleKind;
  saved: Detail | null;
  status: ArticleStatus;
  onStatus(status: ArticleStatus): void;
  times: Times;
  onTimes(times: Times): void;
};

/** The article's status, and the progress of its publication. */
export function PublishPanel({ kind, saved, status, onStatus, times, onTimes }: Props) {
  const { live, publish, retry } = useLivePage(kind, saved);
  const isPublic = saved?.status === 'PUBLISHED';
  const wasPublic = saved?.publishedAt != null;
  return (
    <section className="card editor-panel" aria-labelledby="publish">
      <h2 id="publish">Publish</h2>
      <fieldset className="status">
        <legend>Status</legend>
        <div className="status-choices">
          {articleStatuses.map((one) => (
            <label key={one}>
              <input type="radio" name="status" value={one} checked={status === one} onChange={() => onStatus(one)} />
              <span>{one}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <ScheduleFields status={status} times={times} onTimes={onTimes} />
      {saved &&
        sayPlanned(saved).map((line) => (
          <p key={line} className="app-quiet">
            {line}
          </p>
        ))}
      {saved && status !== saved.status && (
        <p className="app-quiet">
          {`Press ${saveWord(saved.status, status, false)} to ${status === 'PUBLISHED' ? 'put it on the site' : 'take it off the site'}.`}
        </p>
      )}
      {saved && isPublic && (
        <>
          <StatusSteps label="On the way to the site" stops={stopsOf({ saved, live, publish })} />
          <p role="status" className="app-quiet">
            {sayLive({ saved, live, publish })}
          </p>
        </>
      )}
      {saved && !isPublic && wasPublic && (
        <p role="status" className="app-quiet">
          {sayGone[live.kind]}
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
    </section>
  );
}
