import { useEffect, useState } from 'react';
import type { ArticleKind, PublishState } from '#shared/contracts/content/content';
import { listHeaders } from '#shared/contracts/lists/list-values';
import { formatMoment, formatWhen } from '../ui/format-moment.ts';
import { AppLink } from '../ui/routing/router.tsx';
import { type ArticleItem, call, readItems } from './api.ts';
import { LiveBadge } from './lists/articles.tsx';
import { texts } from './texts.ts';
import { usePublish } from './use-publish.ts';

type Row = { kind: ArticleKind; item: ArticleItem };
type LoadedRows = { rows: Row[]; total: number };
/** Articles of one status, newest first; null until they are loaded, an error message if loading failed. */
type RowsResult = LoadedRows | string | null;

/** Number of drafts to load; they include the scheduled articles. */
const MAX_DRAFTS = 100;
const ROWS = 5;

async function loadRows(kind: ArticleKind, status: 'DRAFT' | 'PUBLISHED', size: number): Promise<LoadedRows | string> {
  const path = `/api/cms/${kind}s?view=rows&status=${status}&sort=-updatedAt&size=${size}`;
  const readRows = (body: unknown, headers: Headers) => {
    const items = readItems(body);
    return items && { rows: items.map((item) => ({ kind, item })), total: Number(headers.get(listHeaders.total)) };
  };
  const answer = await call(path, readRows);
  return answer.ok ? answer.value : texts[kind].fetchMany;
}

/** Counts, and lists of scheduled articles, drafts, and the newest articles on the site. */
export function Dashboard() {
  const [posts, setPosts] = useState<[RowsResult, RowsResult]>([null, null]);
  const [pages, setPages] = useState<[RowsResult, RowsResult]>([null, null]);
  const { state } = usePublish();
  useEffect(() => {
    const load = (kind: ArticleKind) =>
      Promise.all([loadRows(kind, 'DRAFT', MAX_DRAFTS), loadRows(kind, 'PUBLISHED', ROWS)]);
    void load('post').then(setPosts);
    void load('page').then(setPages);
  }, []);
  const isLoaded = [...posts, ...pages].every((result) => result !== null);
  const failures = new Set([...posts, ...pages].filter((result) => typeof result === 'string'));

  return (
    <div className="cms-stack">
      <h1 tabIndex={-1}>Dashboard</h1>
      <div className="cms-cards">
        <Card name="Posts" path="/cms/posts" to="/cms/posts/new" action="New post" {...countsOf(posts)} />
        <Card name="Pages" path="/cms/pages" to="/cms/pages/new" action="New page" {...countsOf(pages)} />
        <MediaCard />
      </div>
      {[...failures].map((message) => (
        <p key={message} role="alert" className="app-quiet">
          {message}
        </p>
      ))}
      {isLoaded && failures.size === 0 && (
        <Overview
          drafts={sortNewestFirst([...rowsOf(posts[0]), ...rowsOf(pages[0])])}
          live={sortNewestFirst([...rowsOf(posts[1]), ...rowsOf(pages[1])])}
          publish={state}
        />
      )}
    </div>
  );
}

const rowsOf = (result: RowsResult): Row[] => (result === null || typeof result === 'string' ? [] : result.rows);
const sortNewestFirst = (rows: Row[]): Row[] =>
  rows.toSorted((a, b) => b.item.updatedAt.localeCompare(a.item.updatedAt));

function countsOf([drafts, live]: [RowsResult, RowsResult]): { count: string; detail: string } {
  if (drafts === null || live === null) return { count: '\u00a0', detail: '\u00a0' };
  if (typeof drafts === 'string' || typeof live === 'string') return { count: '–', detail: '\u00a0' };
  return {
    count: countFormat.format(drafts.total + live.total),
    detail: `${countFormat.format(live.total)} published, ${countFormat.format(drafts.total)} not published`,
  };
}

type OverviewProps = { drafts: Row[]; live: Row[]; publish: PublishState | null };

function Overview({ drafts, live, publish }: OverviewProps) {
  const scheduledRows = drafts
    .filter(({ item }) => item.startsAt !== null)
    .toSorted((a, b) => (a.item.startsAt ?? '').localeCompare(b.item.startsAt ?? ''));
  return (
    <div className="cms-halves">
      <Rows
        title="Scheduled"
        emptyText="Nothing is scheduled."
        rows={scheduledRows}
        describe={({ startsAt }) => startsAt && `Goes live ${formatMoment(startsAt)}`}
      />
      <Rows
        title="Drafts"
        emptyText="There are no drafts."
        rows={drafts.filter(({ item }) => item.startsAt === null)}
        describe={({ updatedAt, updatedBy }) => `${formatWhen(updatedAt)}${updatedBy ? `, ${updatedBy}` : ''}`}
      />
      <Rows
        title="On the site"
        emptyText="Nothing is published yet."
        rows={live}
        describe={({ publishedAt }) => publishedAt && `Published ${formatWhen(publishedAt)}`}
        publish={publish}
      />
    </div>
  );
}

type RowsProps = {
  title: string;
  emptyText: string;
  rows: Row[];
  describe(item: ArticleItem): string | null;
  /** If set, each row shows whether visitors see the article. */
  publish?: PublishState | null;
};

function Rows({ title, emptyText, rows, describe, publish }: RowsProps) {
  const id = `overview-${title.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <section className="card cms-overview" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {rows.length === 0 && <p className="app-quiet">{emptyText}</p>}
      {rows.length > 0 && (
        <ul>
          {rows.slice(0, ROWS).map(({ kind, item }) => (
            <li key={item.id}>
              <AppLink href={`/cms/${kind}s/edit/${item.id}`}>{item.title}</AppLink>
              {publish !== undefined && <LiveBadge item={item} publish={publish} />}
              <span className="cms-sub">
                {kind === 'post' ? 'Post' : 'Page'}. {describe(item)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const countFormat = new Intl.NumberFormat('en-US');

type CardProps = { name: string; path: string; to: string; action: string; count: string; detail: string };

function Card({ name, path, to, action, count, detail }: CardProps) {
  return (
    <section className="card cms-card" aria-labelledby={`card-${name}`}>
      <h2 id={`card-${name}`}>
        <AppLink href={path}>{name}</AppLink>
      </h2>
      <p className="cms-count">{count}</p>
      <p className="cms-sub">{detail}</p>
      <AppLink className="button button-secondary" href={to}>
        {action}
      </AppLink>
    </section>
  );
}

function MediaCard() {
  const [count, setCount] = useState('\u00a0');
  useEffect(() => {
    const readTotal = (_body: unknown, headers: Headers) => headers.get(listHeaders.total);
    void call('/api/cms/media?size=1', readTotal).then((answer) =>
      setCount(answer.ok ? countFormat.format(Number(answer.value)) : '–'),
    );
  }, []);
  const detail = count === '1' ? 'Image or document' : 'Images and documents';
  return <Card name="Media" path="/cms/media" to="/cms/media" action="Upload files" count={count} detail={detail} />;
}
