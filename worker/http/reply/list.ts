import type { Context } from 'hono';
import { listHeaders } from '#shared/contracts/lists/list-values';
import type { Deps, Env } from '#worker/deps';
import { awaitFirstPage, refreshIfStale, type SyncState } from '#worker/domain/crm-sync/state';
import type { ListExport } from '#worker/domain/lists/export';
import type { ListFacts } from '#worker/domain/lists/read-list';
import { runToCompletion } from './run-to-completion.ts';

/** Sets the facts about a list as headers. */
function setListHeaders(c: Context, facts: ListFacts): void {
  const { total, isMore, page, pages, next, previous, asOf, isStale, progress } = facts;
  c.header(listHeaders.total, String(total));
  if (isMore) c.header(listHeaders.isMore, 'true');
  c.header(listHeaders.page, String(page));
  c.header(listHeaders.pages, String(pages));
  if (next) c.header(listHeaders.next, next);
  if (previous) c.header(listHeaders.previous, previous);
  if (asOf) c.header(listHeaders.asOf, asOf);
  if (isStale) c.header(listHeaders.isStale, 'true');
  if (progress) c.header(listHeaders.copying, progress);
}

/** Sends one page of a list, with the facts about the list in headers. */
export function sendList(c: Context, { facts }: { facts: ListFacts }, body: object): Response {
  setListHeaders(c, facts);
  return c.json(body);
}

/** Streams a list as a CSV download. */
export function sendCsv(c: Context, { facts, pieces, day }: ListExport, list: string): Response {
  setListHeaders(c, facts);
  return streamCsv(c, pieces, list, day);
}

/**
 * Streams CSV pieces as a download, without facts about a list. `days`: the day or period in the file name, in the
 * reader's time zone.
 */
export function streamCsv(c: Context, pieces: AsyncGenerator<string>, list: string, days: string): Response {
  const name = `${list}-${days}.csv`;
  c.header('content-type', 'text/csv; charset=utf-8');
  c.header('content-disposition', `attachment; filename="${name}"`);
  const utf8 = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      const { value, done } = await pieces.next();
      if (done) stream.close();
      else stream.enqueue(utf8.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return c.body(body);
}

/**
 * Responds from the synced records at once, and fetches the CRM's changes in the background for the next request. An
 * account without synced records waits for the newest ones.
 */
export async function readFreshList<T extends { copy: SyncState }>(
  c: Context<{ Bindings: Env }>,
  deps: Deps,
  accountId: number,
  read: () => Promise<T | null>,
): Promise<T | null> {
  const list = await read();
  if (!list) return null;
  runToCompletion(c, refreshIfStale(deps, accountId, list.copy));
  if (!list.copy.isEmpty) return list;
  await awaitFirstPage(deps, accountId);
  return read();
}

/** Sends one page of a list that has no cursor, with its counts in headers. */
export function sendPage(
  c: Context,
  body: object,
  { total, page, size }: { total: number; page: number; size: number },
): Response {
  c.header(listHeaders.total, String(total));
  c.header(listHeaders.page, String(page));
  c.header(listHeaders.pages, String(Math.max(1, Math.ceil(total / size))));
  return c.json(body);
}
