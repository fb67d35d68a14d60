import type { ArticleKind, ArticleStatus, PublishState } from '#shared/contracts/content/content';
import { articleSortFields } from '#shared/contracts/content/content-values';
import { articlePath } from '#shared/paths';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { formatMoment, formatWhen } from '#site/islands/ui/format-moment.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { TruncatedText } from '#site/islands/ui/table/CutText.tsx';
import type { Column } from '#site/islands/ui/table/list-view.ts';
import type { ListSource } from '#site/islands/ui/table/use-list.ts';
import { type ArticleItem, readItems } from '../api.ts';
import { DeleteArticle } from './DeleteArticle.tsx';

/** The times when an article is published and removed automatically. */
export const ScheduledTimes = ({ item: { startsAt, endsAt } }: { item: ArticleItem }) => (
  <>
    {startsAt && <span className="cms-sub">Goes live {formatMoment(startsAt)}</span>}
    {endsAt && <span className="cms-sub">Ends {formatMoment(endsAt)}</span>}
  </>
);

/** Shows whether visitors see the saved version. */
export function LiveBadge({ item, publish }: { item: ArticleItem; publish: PublishState | null }) {
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

const sourceAt = (path: string): ListSource<ArticleItem> => ({
  path,
  fixedQuery: 'view=rows',
  readRows: readItems,
  sort: '-updatedAt',
  sorts: articleSortFields,
  filters: ['status'],
});

export const articleSource: Record<ArticleKind, ListSource<ArticleItem>> = {
  post: sourceAt('/api/cms/posts'),
  page: sourceAt('/api/cms/pages'),
};

/** Distinguishes a draft that will be published automatically from one that waits for its writer. */
export function StatusBadge({ status, startsAt }: { status: ArticleStatus; startsAt: string | null }) {
  if (status === 'PUBLISHED') {
    return (
      <Badge tone="ok" icon="check">
        PUBLISHED
      </Badge>
    );
  }
  return startsAt === null ? (
    <Badge tone="warn" icon="draft">
      {status}
    </Badge>
  ) : (
    <Badge tone="warn" icon="clock">
      SCHEDULED
    </Badge>
  );
}

export const articleColumns = (
  kind: ArticleKind,
  publish: PublishState | null,
  onDeleted: () => void,
): Column<ArticleItem>[] => [
  {
    id: 'title',
    header: 'Title',
    value: ({ id, title, slug }) => (
      <>
        <AppLink className="row-link" href={`/cms/${kind}s/edit/${id}`}>
          {title}
        </AppLink>
        <span className="cell-sub">
          <TruncatedText text={articlePath(kind, slug)} />
        </span>
      </>
    ),
    sort: 'asc',
    width: 18,
    place: 'title',
    label: '',
  },
  {
    id: 'status',
    header: 'Status',
    value: ({ status, startsAt }) => <StatusBadge status={status} startsAt={startsAt} />,
    sort: 'asc',
    width: 8,
    place: 'state',
    label: '',
  },
  {
    id: 'live',
    header: 'Live',
    value: (item) => (
      <>
        {!item.startsAt && <LiveBadge item={item} publish={publish} />}
        <ScheduledTimes item={item} />
      </>
    ),
    width: 10,
    place: 'by',
    label: '',
  },
  {
    id: 'updatedAt',
    header: 'Updated',
    value: ({ updatedAt, updatedBy }) => (
      <>
        {formatWhen(updatedAt)}
        {updatedBy && <span className="cell-sub">{updatedBy}</span>}
      </>
    ),
    sort: 'desc',
    width: 8,
    place: 'fact',
  },
  {
    id: 'actions',
    header: 'Actions',
    value: (item) => (
      <span className="cms-row-actions">
        <AppLink className="row-link" href={`/cms/${kind}s/edit/${item.id}`}>
          Edit<span className="sr-only"> {item.title}</span>
        </AppLink>
        <DeleteArticle kind={kind} item={item} onDeleted={onDeleted} />
      </span>
    ),
    width: 8,
    place: 'action',
    label: '',
  },
];
