import { useState } from 'react';
import * as z from 'zod/mini';
import type { ArticleKind } from '#shared/contracts/content/content';
import { Trashed } from '#shared/contracts/content/content';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatDay, formatSince } from '#site/islands/ui/format-moment.ts';
import { AppLink, navigate } from '#site/islands/ui/routing/router.tsx';
import { NoRows } from '#site/islands/ui/table/DataTable.tsx';
import { Pager } from '#site/islands/ui/table/Pager.tsx';
import { SearchBox } from '#site/islands/ui/table/SearchBox.tsx';
import { type ListSource, useServerList } from '#site/islands/ui/table/use-list.ts';
import { call, readDetail } from '../api.ts';
import { texts } from '../texts.ts';
import '#site/styles/parts/table/list-head.css';
import '#site/styles/parts/table/list-tools.css';
import '#site/styles/parts/table/table.css';

const sourceOf = (kind: ArticleKind): ListSource<Trashed> => ({
  path: `/api/cms/${texts[kind].plural}`,
  fixedQuery: 'view=trash',
  readRows: readWith(z.array(Trashed)),
  sort: '',
  sorts: [],
  filters: [],
});
const sources = { post: sourceOf('post'), page: sourceOf('page') };

const RETENTION_MS = 30 * 86_400_000;
const lastDay = (trashedAt: string) => formatDay(new Date(Date.parse(trashedAt) + RETENTION_MS).toISOString());

/** Articles deleted in the last 30 days, which can be restored. */
export function TrashList({ kind }: { kind: ArticleKind }) {
  const list = useServerList(sources[kind], { call });
  const [failure, setFailure] = useState('');
  const [busyId, setBusyId] = useState('');
  const noun = texts[kind].plural;
  const { q } = list.query;
  const restoreArticle = async ({ id, title }: Trashed) => {
    setBusyId(id);
    const answer = await call(`/api/cms/${noun}/${id}/bring-back`, readDetail, { method: 'POST' });
    setBusyId('');
    if (!answer.ok) return setFailure(`Failed to bring back ${kind}. ${answer.error.message}`);
    toast(`Back as a draft: ${title}`);
    navigate(`/cms/${noun}/edit/${id}`);
  };
  return (
    <div className="list-page">
      <div className="list-head">
        <h1 tabIndex={-1}>Deleted {noun}</h1>
        <span className="cms-push" />
        <AppLink className="button button-secondary" href={`/cms/${noun}`}>
          All {noun}
        </AppLink>
      </div>
      {failure && <Banner tone="bad" lead={failure} onDismiss={() => setFailure('')} />}
      {list.failure && (
        <Banner
          tone="warn"
          role="alert"
          lead={texts[kind].fetchMany}
          actions={
            <button type="button" className="text-button" onClick={list.retry}>
              Retry
            </button>
          }
        >
          {list.failure.message}
        </Banner>
      )}
      <div className="list-tools">
        <SearchBox searchedFields="title or address" value={q} onSearch={(text) => list.show({ q: text, page: 1 })} />
      </div>
      {list.phase === 'loading' && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
      {list.phase === 'shown' && list.rows.length === 0 && (
        <div className="table-empty">
          <NoRows noun={kind} list={list} emptyText="Nothing was deleted in the last 30 days." />
        </div>
      )}
      {list.rows.length > 0 && (
        <ul
          className="card cms-trash"
          aria-label={`Deleted ${noun}`}
          aria-busy={list.phase === 'refreshing' || undefined}
        >
          {list.rows.map((row) => (
            <li key={row.id}>
              <span className="cms-trashed">
                <strong>{row.title}</strong>
                <span className="cms-sub">
                  Deleted {formatSince(row.trashedAt)}, kept until {lastDay(row.trashedAt)}
                </span>
              </span>
              <Button busy={busyId === row.id} onClick={() => void restoreArticle(row)}>
                Bring back<span className="sr-only"> {row.title}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {list.phase !== 'failed' && (
        <Pager noun={`deleted ${noun}`} list={list} loadingText="Loading..." isShown={list.phase !== 'loading'} />
      )}
    </div>
  );
}
