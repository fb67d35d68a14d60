import type { PublishState } from '#shared/contracts/content/content';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { formatMoment } from '#site/islands/ui/format-moment.ts';
import type { Item } from '../editor/parse-response.ts';

/** When the clock puts an article on the site, and takes it off again. */
export const PlannedTimes = ({ item: { startsAt, endsAt } }: { item: Item }) => (
  <>
    {startsAt && <span className="cms-sub">Goes live {formatMoment(startsAt)}</span>}
    {endsAt && <span className="cms-sub">Ends {formatMoment(endsAt)}</span>}
  </>
);

/** Whether visitors see the saved version. */
export function LiveMark({ item, publish }: { item: Item; publish: PublishState | null }) {
  const isPublic = item.status === 'PUBLISHED';
  if (!isPublic && !item.publishedAt) return <span className="cms-never">–</span>;
  if (!publish) return '…';
  if (item.revision <= publish.liveRevision) {
    if (!isPublic) return 'Not public';
    return (
      <Badge tone="ok" icon="circleCheck">
        Live
      </Badge>
    );
  }
  if (publish.state === 'failed') {
    return (
      <Badge tone="bad" icon="alert">
        Failed
      </Badge>
    );
  }
  return (
    <Badge tone="note" icon="half">
      {isPublic ? 'Building' : 'Going offline'}
      {publish.progress !== null && ` ${publish.progress}%`}
    </Badge>
  );
}
