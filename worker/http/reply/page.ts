import type { Context } from 'hono';
import { listHeaders } from '#shared/contracts/list-values';

/** Sends one page of a list; facts about the list travel in headers. */
export function answerList<T>(
  c: Context,
  rows: T[],
  { total, page, size }: { total: number; page: number; size: number },
): Response {
  c.header(listHeaders.total, String(total));
  c.header(listHeaders.page, String(page));
  c.header(listHeaders.pages, String(Math.max(1, Math.ceil(total / size))));
  return c.json(rows);
}
