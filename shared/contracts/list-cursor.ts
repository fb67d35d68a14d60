import * as z from 'zod/mini';

/**
 * Where a neighbouring page begins: after, or backwards before, the row that stands by this key and id; and how many rows
 * there were when that was said.
 */
export type ListCursor = { page: number; side: 'after' | 'before'; key: string | number; id: number; total: number };

const Wire = z.tuple([
  z.string(),
  z.int().check(z.gte(1)),
  z.enum(['after', 'before']),
  z.union([z.string(), z.number()]),
  z.int(),
  z.int().check(z.gte(0)),
]);

/** All that decides which rows stand on which page. */
type PagedBy = {
  size: number;
  sort: string;
  isDescending: boolean;
  q: string;
  statuses: string[];
  ranges: object[];
  contactId: string | null;
  hasOpenInvoice: boolean;
};

/** A short name for it, by which a cursor says what it was said for. */
export function viewName({ size, sort, isDescending, q, statuses, ranges, contactId, hasOpenInvoice }: PagedBy) {
  const text = JSON.stringify([size, sort, isDescending, q, statuses, ranges, contactId, hasOpenInvoice]);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** A cursor as a header and an address carry it; `view` names the list that it was said for. */
export function writeCursor(view: string, { page, side, key, id, total }: ListCursor): string {
  const bytes = new TextEncoder().encode(JSON.stringify([view, page, side, key, id, total]));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Null for anything that we cannot have written. */
export function readCursor(text: string): { view: string; cursor: ListCursor } | null {
  if (!/^[\w-]{1,2000}$/.test(text)) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const wire = Wire.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    if (!wire.success) return null;
    const [view, page, side, key, id, total] = wire.data;
    return { view, cursor: { page, side, key, id, total } };
  } catch {
    return null;
  }
}
