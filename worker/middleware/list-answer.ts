import type { Context } from 'hono';
import { listHeaders } from '#shared/contracts/lists';
import type { Exported } from '../domain/export-list.ts';
import type { ListFacts } from '../domain/read-list.ts';

/** What of a list travels beside its rows. */
export function tellFacts(c: Context, facts: ListFacts): void {
  const { total, page, pages, next, previous, asOf, isStale, copying } = facts;
  c.header(listHeaders.total, String(total));
  c.header(listHeaders.page, String(page));
  c.header(listHeaders.pages, String(pages));
  if (next) c.header(listHeaders.next, next);
  if (previous) c.header(listHeaders.previous, previous);
  if (asOf) c.header(listHeaders.asOf, asOf);
  if (isStale) c.header(listHeaders.isStale, 'true');
  if (copying) c.header(listHeaders.copying, copying);
}

/** A file to keep, sent while it is read. */
export function sendCsv(c: Context, { facts, pieces }: Exported, name: string): Response {
  tellFacts(c, facts);
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
