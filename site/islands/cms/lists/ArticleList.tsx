import { useMemo } from 'react';
import type { ArticleKind } from '#shared/contracts/content/content';
import { articleListStatuses } from '#shared/contracts/content/content-values';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Select } from '#site/islands/ui/form/Select.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { DataTable, NoRows } from '#site/islands/ui/table/DataTable.tsx';
import { SearchBox } from '#site/islands/ui/table/SearchBox.tsx';
import { useServerList } from '#site/islands/ui/table/use-list.ts';
import { call } from '../api.ts';
import { texts } from '../texts.ts';
import { usePublish } from '../use-publish.ts';
import { articleColumns, articleSource } from './articles.tsx';
import '#site/styles/parts/table/list-head.css';

/** All posts, or all pages. */
export function ArticleList({ kind }: { kind: ArticleKind }) {
  const source = articleSource[kind];
  const list = useServerList(source, { call });
  const { state } = usePublish();
  const columns = useMemo(() => articleColumns(kind, state, list.reload), [kind, state, list.reload]);
  const noun = texts[kind].plural;
  const { q, filters } = list.query;
  return (
    <div className="list-page cms-articles">
      <div className="list-head">
        <h1 tabIndex={-1}>{kind === 'post' ? 'Posts' : 'Pages'}</h1>
        <span className="cms-push" />
        <AppLink className="button button-ghost" href={`/cms/${noun}/trash`}>
          Trash
        </AppLink>
        <AppLink className="button button-primary" href={`/cms/${noun}/new`}>
          New {kind}
        </AppLink>
      </div>
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
      <DataTable
        noun={noun}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        loadingText="Loading..."
        empty={<NoRows noun={kind} list={list} emptyText={texts[kind].emptyText} />}
        tools={
          <>
            <SearchBox
              searchedFields="title or address"
              value={q}
              onSearch={(text) => list.show({ q: text, page: 1 })}
            />
            <Select
              className="cms-status-filter"
              aria-label="Status"
              value={filters.status ?? ''}
              onChange={({ target }) => list.show({ filters: { ...filters, status: target.value }, page: 1 })}
            >
              <option value="">Every status</option>
              {articleListStatuses.toReversed().map((status) => (
                <option key={status}>{status}</option>
              ))}
            </Select>
          </>
        }
      />
    </div>
  );
}
