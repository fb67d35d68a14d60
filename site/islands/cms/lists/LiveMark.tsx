import type { PublishState } from '../../../../shared/contracts/content/content.ts';
import { Badge } from '../../ui/Badge.tsx';
import type { Item } from '../editor/parse-response.ts';

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
