import { listHeaders } from '#shared/contracts/list-values';
import type { Reader } from '../api/parse-response.ts';

/** Facts about the list, from the headers of a page. */
export type ListInfo = {
  total: number | null;
  /** There are more than `total`. */
  isMore: boolean;
  pages: number | null;
  /** Where the neighbouring pages begin, by page number: it saves the server the skipping. */
  cursors: Record<number, string>;
  asOf: string | null;
  isStale: boolean;
  copying: { copied: number; expected: number } | null;
};

/** `body` is the reply before parsing. */
export type ListPage<Row> = { rows: Row[]; info: ListInfo; body: unknown };

const wholeIn = (text: string | null): number | null => (text !== null && /^\d+$/.test(text) ? Number(text) : null);

function readInfo(headers: Headers, page: number): ListInfo {
  const cursors: Record<number, string> = {};
  const next = headers.get(listHeaders.next);
  const previous = headers.get(listHeaders.previous);
  if (next) cursors[page + 1] = next;
  if (previous) cursors[page - 1] = previous;
  const [copied, expected] = (headers.get(listHeaders.copying) ?? '').split('/').map((part) => wholeIn(part));
  return {
    total: wholeIn(headers.get(listHeaders.total)),
    isMore: headers.get(listHeaders.isMore) === 'true',
    pages: wholeIn(headers.get(listHeaders.pages)),
    cursors,
    asOf: headers.get(listHeaders.asOf),
    isStale: headers.get(listHeaders.isStale) === 'true',
    copying: typeof copied === 'number' && typeof expected === 'number' ? { copied, expected } : null,
  };
}

/** Reads a reply as page number `page` of a list. */
export const readPage =
  <Row>(readRows: (body: unknown) => Row[] | null, page: number): Reader<ListPage<Row>> =>
  (body, headers) => {
    const rows = readRows(body);
    return rows && { rows, info: readInfo(headers, page), body };
  };
