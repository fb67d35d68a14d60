import type { Context, MiddlewareHandler } from 'hono';

/** So much of a body that is too large is still read and thrown away. */
const DRAINED_BYTES = 16_000_000;

/**
 * Refuse a body over the limit, with or without a declared length. The rest of it is taken in first: whoever is still
 * sending, a proxy too, would otherwise see a broken connection instead of the answer.
 */
export function limitBody(maxBytes: number, refuse: (c: Context) => Response): MiddlewareHandler {
  return async (c, next) => {
    const { body } = c.req.raw;
    if (!body) return next();
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for await (const part of body as ReadableStream<Uint8Array<ArrayBuffer>>) {
      size += part.length;
      if (size <= maxBytes) parts.push(part);
      else if (size > DRAINED_BYTES) break;
    }
    if (size > maxBytes) return refuse(c);
    c.req.raw = new Request(c.req.raw, { body: await new Blob(parts).arrayBuffer() });
    return next();
  };
}
