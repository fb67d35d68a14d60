import type { ArticleKind, ArticleStatus } from '../../../../../shared/contracts/content/content.ts';
import { articleStatuses } from '../../../../../shared/contracts/content/content-values.ts';
import { articlePath } from '../../../../../shared/paths.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { StatusSteps, type Stop } from '../../../ui/feedback/StatusSteps.tsx';
import { formatTime } from '../../../ui/format-moment.ts';
import type { Detail } from '../parse-response.ts';
import { type LivePage, useLivePage } from '../use-live-page.ts';

type Props = {
  kind: ArticleKind;
  saved: Detail | null;
  status: ArticleStatus;
  onStatus(status: ArticleStatus): void;
};

/** The article's status, and the progress of its publication. */
export function PublishPanel({ kind, saved, status, onStatus }: Props) {
  const { live, publish, retry } = useLivePage(kind, saved);
  const isPublic = saved?.status === 'PUBLISHED';
  const isBehind = saved !== null && publish !== null && saved.revision > publish.liveRevision;
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
      {saved && status !== saved.status && (
        <p className="app-quiet">{status === 'PUBLISHED' ? 'Save to publish it.' : 'Save to take it off the site.'}</p>
      )}
      {saved && isPublic && (
        <>
          <StatusSteps label="On the way to the site" stops={stopsOf(saved, live, isBehind, publish)} />
          <p role="status" className="app-quiet">
            {sayLive(saved, live, isBehind, publish)}
          </p>
        </>
      )}
      {saved && !isPublic && wasPublic && (
        <p role="status" className="app-quiet">
          {sayGone[live.kind]}
        </p>
      )}
      {wasPublic && isBehind && publish?.state === 'failed' && (
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

type Publish = ReturnType<typeof useLivePage>['publish'];

const isShown = (saved: Detail, live: LivePage) => live.kind === 'shown' && live.version === saved.version;

const LOOKING = 'Looking at the live page...';
const sayGone: Record<LivePage['kind'], string> = {
  unknown: LOOKING,
  missing: 'Not on the site any more.',
  shown: 'Still on the site until the build is through.',
};

/** Steps in the order of events: a page without a built file is live at once, and built afterwards. */
function stopsOf(saved: Detail, live: LivePage, isBehind: boolean, publish: Publish): Stop[] {
  const first: Stop = { name: 'Saved', state: 'done', time: formatTime(new Date(saved.updatedAt)) };
  const isLive = publish !== null && isShown(saved, live);
  const last: Stop = { name: 'Live', state: isLive ? 'done' : 'ahead' };
  return isBehind && isLive ? [first, last, buildOf(isBehind, publish)] : [first, buildOf(isBehind, publish), last];
}

function buildOf(isBehind: boolean, publish: Publish): Stop {
  if (!publish) return { name: 'Building', state: 'ahead' };
  if (!isBehind) return { name: 'Building', state: 'done' };
  if (publish.state === 'failed') return { name: 'Failed', state: 'failed' };
  const progress = publish.progress === null ? '' : ` ${publish.progress}%`;
  return { name: `Building${progress}`, state: publish.state === 'waiting' ? 'ahead' : 'now' };
}

function sayLive(saved: Detail, live: LivePage, isBehind: boolean, publish: Publish): string {
  if (live.kind === 'unknown' || publish === null) return LOOKING;
  if (!isBehind) return live.kind === 'shown' ? 'Live.' : 'The live page could not be read.';
  if (isShown(saved, live)) return 'Live at its address; lists follow with the build.';
  if (publish.state === 'failed') return 'Not live yet.';
  const when = publish.state === 'waiting' ? 'The build is about to start' : publish.step || 'Building';
  return live.kind === 'shown' ? `${when}. Its page shows version ${live.version}.` : `${when}.`;
}
