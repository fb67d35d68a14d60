import * as z from 'zod/mini';

/**
 * The position of an adjacent page, which begins after the row with this key and id, or ends before it. `total`: number
 * of rows when the cursor was created.
 */
export type ListCursor = { page: number; side: 'after' | 'before'; key: string | number; id: number; total: number };

const WireCursor = z.tuple([
  z.string(),
  z.int().check(z.gte(1)),
  z.enum(['after', 'before']),
  z.union([z.string(), z.number()]),
  z.int(),
  z.int().check(z.gte(0)),
]);

/** All parameters that determine the rows of a page. */
type ListParameters = {
  size: number;
  sort: string;
  isDescending: boolean;
  q: string;
  statuses: string[];
  ranges: object[];
  contactId: string | null;
  hasOpenInvoice: boolean;
};

/** Returns a short hash of the list's parameters, which identifies the list of a cursor. */
export function viewName({ size, sort, isDescending, q, statuses, ranges, contactId, hasOpenInvoice }: ListParameters) {
  const text = JSON.stringify([size, sort, isDescending, q, statuses, ranges, contactId, hasOpenInvoice]);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Encodes a cursor for a header or a URL. `view`: the `viewName` of its list. */
export function writeCursor(view: string, { page, side, key, id, total }: ListCursor): string {
  const bytes = new TextEncoder().encode(JSON.stringify([view, page, side, key, id, total]));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Null if writeCursor() cannot have produced the text. */
export function readCursor(text: string): { view: string; cursor: ListCursor } | null {
  if (!/^[\w-]{1,2000}$/.test(text)) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const parsed = WireCursor.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    if (!parsed.success) return null;
    const [view, page, side, key, id, total] = parsed.data;
    return { view, cursor: { page, side, key, id, total } };
  } catch {
    return null;
  }
}
