import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Call } from '../api/api-client.ts';
import type { ClientError } from '../api/parse-response.ts';
import { usePoll } from '../api/use-poll.ts';
import { setSearch, useSearch } from '../routing/router.tsx';
import {
  formatListAddress,
  isTypingStep,
  type ListDefaults,
  type ListInfo,
  type ListPage,
  type ListQuery,
  type ListView,
  parseListAddress,
  readPage,
} from './list-view.ts';

export type ListSource<Row> = ListDefaults & {
  /** The API path of the list. */
  path: string;
  /** Query parameters that every call includes. */
  fixedQuery?: string;
  readRows(body: unknown): Row[] | null;
};

/** The API client of an area's lists, and its handler for outages. */
export type ListClient = {
  call: Call;
  /** Called with a message when the server cannot answer a list request, and with null when it can again. */
  onOutage?(message: string | null): void;
};

export type List<Row> = ListView<Row> & {
  info: ListInfo | null;
  /** The unparsed reply with these rows, which may contain further facts. Undefined before the first reply. */
  body: unknown;
  /** The reason and the time of the last failure. */
  failure: { message: string; at: Date } | null;
  retry(): void;
  /** Reloads the current view, for example after one of its rows changed. */
  reload(): void;
};

const COPYING_MS = 2000;
const STALE_MS = 15_000;

type ShownPage<Row> = ListPage<Row> & { key: string; first: number };

/** The last loaded page of each list. When users return, it is shown at once and then refreshed. */
const lastPages = new Map<string, Omit<ShownPage<unknown>, 'rows'>>();

/** Loads a page of a list from the server. The address holds the list's state. A new request cancels an older one. */
export function useServerList<Row>(source: ListSource<Row>, client: ListClient): List<Row> {
  const query = parseListAddress(useSearch(), source);
  const key = formatListAddress(query);
  const [shownPage, setShownPage] = useState<ShownPage<Row> | null>(() => lastPageOf(source, key));
  const [failure, setFailure] = useState<List<Row>['failure']>(null);
  const [isLoading, setLoading] = useState(true);
  const [reloadCount, setReloadCount] = useState(0);
  const pending = useRef<AbortController>(undefined);

  const show = (change: Partial<ListQuery>) => {
    const next = { ...query, ...change };
    setSearch(formatListAddress(next, source), { replace: isTypingStep(query, next) });
  };

  const handleFailure = ({ message, status }: ClientError) => {
    // The old rows are removed if the session has ended or the server cannot answer.
    if (status === 401 || status >= 500) {
      lastPages.delete(source.path);
      setShownPage(null);
    }
    if (status >= 500) client.onOutage?.(message);
    setFailure({ message, at: new Date() });
  };

  const load = async (): Promise<boolean> => {
    pending.current?.abort();
    const request = new AbortController();
    pending.current = request;
    const cursor = shownPage?.info.cursors[query.page];
    const isNeighbor = cursor !== undefined && shownPage !== null && isSameExceptPage(shownPage.key, key);
    const address = `${pathOf(source)}${key}${isNeighbor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
    const answer = await client.call(address, readPage(source.readRows, query.page), {
      signal: request.signal,
    });
    if (request.signal.aborted) return true;
    setLoading(false);
    if (!answer.ok) {
      handleFailure(answer.error);
      return false;
    }
    const { info, rows, body } = answer.value;
    const first = firstRowOf(query);
    lastPages.set(source.path, { key, info, body, first });
    setShownPage({ key, info, rows, body, first });
    setFailure(null);
    client.onOutage?.(null);
    // The page no longer exists, so the list goes to the last one.
    if (rows.length === 0 && info.pages && query.page > info.pages) {
      setSearch(formatListAddress({ ...query, page: info.pages }, source), { replace: true });
    }
    return true;
  };

  const onRequest = useEffectEvent(() => {
    setLoading(true);
    void load();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these triggers a new request
  useEffect(() => {
    onRequest();
    return () => pending.current?.abort();
  }, [source.path, key, reloadCount]);
  usePoll(load, shownPage?.info.copying ? COPYING_MS : shownPage?.info.isStale ? STALE_MS : null);

  // The request starts in a new render, since the caller may hold an earlier render's `load`.
  const reload = () => setReloadCount((count) => count + 1);
  const isCurrent = shownPage?.key === key;
  return {
    query,
    rows: shownPage?.rows ?? [],
    first: shownPage?.first ?? 1,
    phase: phaseOf(shownPage !== null, isLoading && !isCurrent, isLoading),
    total: shownPage?.info.total ?? null,
    pages: shownPage?.info.pages ?? null,
    isMore: shownPage?.info.isMore ?? false,
    hasNext: isCurrent && shownPage?.info.cursors[query.page + 1] !== undefined,
    show,
    info: shownPage?.info ?? null,
    body: shownPage?.body,
    failure,
    retry: reload,
    reload,
  };
}

const firstRowOf = ({ page, size }: ListQuery): number => (page - 1) * size + 1;

const pathOf = <Row>({ path, fixedQuery }: ListSource<Row>) => `${path}?${fixedQuery ? `${fixedQuery}&` : ''}`;

/** Reads the stored page of a list, if it is the requested one. */
function lastPageOf<Row>({ path, readRows }: ListSource<Row>, key: string): ShownPage<Row> | null {
  const last = lastPages.get(path);
  const rows = last?.key === key ? readRows(last.body) : null;
  return last && rows ? { ...last, rows } : null;
}

/** True if the two keys differ at most in the page number. */
function isSameExceptPage(shownKey: string, key: string): boolean {
  const [from, to] = [new URLSearchParams(shownKey), new URLSearchParams(key)];
  for (const params of [from, to]) params.delete('page');
  return from.toString() === to.toString();
}

/** Preloads a list's first page. */
export async function fetchFirst<Row>(source: ListSource<Row>, client: ListClient): Promise<void> {
  const query = parseListAddress('', source);
  const key = formatListAddress(query);
  const answer = await client.call(`${pathOf(source)}${key}`, readPage(source.readRows, 1));
  if (answer.ok) lastPages.set(source.path, { ...answer.value, key, first: firstRowOf(query) });
  else if (answer.error.status >= 500) client.onOutage?.(answer.error.message);
}

function phaseOf(isShown: boolean, isChanging: boolean, isLoading: boolean): ListView<unknown>['phase'] {
  if (isShown) return isChanging ? 'refreshing' : 'shown';
  return isLoading ? 'loading' : 'failed';
}
