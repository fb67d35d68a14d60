import { type ReactNode, useEffect, useId, useState } from 'react';
import { UNREACHABLE_ERROR } from '#site/islands/ui/api/parse-response.ts';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatSince } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import type { List, ListSource } from './use-list.ts';
import '#site/styles/parts/table/list-head.css';
import { SearchBox } from '#site/islands/ui/table/SearchBox.tsx';
import '#site/styles/parts/form/button.css';
import '#site/styles/parts/feedback/disclosure.css';
import { lazyScreen, preload } from '#site/islands/ui/routing/lazy-screen.ts';
import { Lazy } from '../common/Lazy.tsx';

// These parts are rarely shown, so their code loads separately.
const listState = lazyScreen(() => import('./ListNotice.tsx').then((code) => code.ListState));
const listFailure = lazyScreen(() => import('./ListNotice.tsx').then((code) => code.ListFailure));

type Props<Row> = {
  title: string;
  noun: string;
  source: ListSource<Row>;
  list: List<Row>;
  level?: 1 | 2;
  /** The period of the rows for the file name, by default today. */
  days?: string | undefined;
  children?: ReactNode;
};

/** The title of a list, the age of its data, and a button for its CSV download. */
export function ListHead<Row>({ title, noun, source, list, level = 1, days, children }: Props<Row>) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const Heading = level === 1 ? 'h1' : 'h2';
  const asOf = list.info?.asOf;
  const hasNotice = list.info?.isStale || list.info?.copying;
  useEffect(() => preload(listState, listFailure), []);
  const save = async () => {
    setBusy(true);
    const code = await import('./export-list.ts').catch(() => null);
    setFailure(code ? await code.exportList(source.path, noun, list.query, days) : UNREACHABLE_ERROR.message);
    setBusy(false);
  };
  return (
    <>
      <div className="list-head">
        <Heading tabIndex={-1}>{title}</Heading>
        <div className="list-synced">
          {hasNotice ? (
            <Lazy screen={listState} props={{ noun, list }} />
          ) : (
            asOf && (
              <p>
                synced <time dateTime={asOf}>{formatSince(asOf)}</time>
              </p>
            )
          )}
        </div>
        {children}
        <Button busy={isBusy} onClick={() => void save()}>
          {!isBusy && <Icon name="download" size="sm" />}
          Export CSV
        </Button>
      </div>
      {failure && (
        <LateBanner tone="warn" lead={`The ${noun} could not be exported.`} onDismiss={() => setFailure('')}>
          {failure}
        </LateBanner>
      )}
    </>
  );
}

type ToolsProps = { searchedFields: string; list: List<unknown>; children?: ReactNode };

/** The search and filters of a list. On a narrow screen, a button with the number of active filters opens them. */
export function ListTools({ searchedFields, list, children }: ToolsProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { q, filters } = list.query;
  const count = Object.values(filters).filter(Boolean).length;
  return (
    <>
      <SearchBox searchedFields={searchedFields} value={q} onSearch={(text) => list.show({ q: text, page: 1 })} />
      {children && (
        <>
          <button
            type="button"
            className={`button button-secondary filters-button${count > 0 ? ' disclosure-set' : ''}`}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            Filter{count > 0 && ` ${count}`}
            <Icon name="chevronDown" size="sm" />
          </button>
          <div id={id} className={isOpen ? 'filters filters-open' : 'filters'}>
            {children}
            {(count > 0 || q) && (
              <button
                type="button"
                className="button button-ghost"
                onClick={() => list.show({ q: '', filters: {}, page: 1 })}
              >
                Clear
              </button>
            )}
          </div>
        </>
      )}
    </>
  );
}

/** Returns the notice about a failure to load a list, or null if there was none. */
export const failureOf = (noun: string, list: List<unknown>): ReactNode =>
  list.failure && <Lazy screen={listFailure} props={{ noun, list }} />;
