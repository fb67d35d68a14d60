import type { Context } from 'hono';
import { type ListRequest, type ListRules, readListRequest } from '#shared/contracts/list-request';
import { listHeaders } from '#shared/contracts/lists';
import type { Exported } from '../domain/export-list.ts';
import type { ListFacts } from '../domain/read-list.ts';
import { apiError, type Refuse } from './errors.ts';

/** What a list is asked for, or the answer that names the parameters that make no sense. */
export function listRequestOf(c: Context, rules: ListRules, refuse: Refuse = apiError): ListRequest | Response {
  const request = readListRequest(rules, new URL(c.req.url).searchParams);
  if (!('fields' in request)) return request;
  return refuse(c, 422, 'invalid', 'The list cannot be shown in this way.', request);
}

/** What of a list travels beside its rows. */
export function tellFacts(c: Context, facts: ListFacts): void {
  const { total, isMore, page, pages, next, previous, asOf, isStale, copying } = facts;
  c.header(listHeaders.total, String(total));
  if (isMore) c.header(listHeaders.isMore, 'true');
  c.header(listHeaders.page, String(page));
  c.header(listHeaders.pages, String(pages));
  if (next) c.header(listHeaders.next, next);
  if (previous) c.header(listHeaders.previous, previous);
  if (asOf) c.header(listHeaders.asOf, asOf);
  if (isStale) c.header(listHeaders.isStale, 'true');
  if (copying) c.header(listHeaders.copying, copying);
}

/** A file to keep, sent while it is read. `now` names its day. */
export function sendCsv(c: Context, { facts, pieces }: Exported, list: string, now: number): Response {
  tellFacts(c, facts);
  const name = `${list}-${new Date(now).toISOString().slice(0, 10)}.csv`;
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
