import type { Context, MiddlewareHandler } from 'hono';

/** So much of a body that nobody wants is still read and thrown away. */
const DRAINED_BYTES = 16_000_000;

/** Read a body; what is over the limit is counted and thrown away. */
async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>, maxBytes: number) {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else if (size > DRAINED_BYTES) break;
  }
  return { parts, isTooLarge: size > maxBytes };
}

/**
 * Take in what a handler left unread before the answer goes out: whoever is still sending, a proxy too, would otherwise see
 * a broken connection instead of the answer.
 */
export const takeInBody: MiddlewareHandler = async (c, next) => {
  const { raw } = c.req;
  await next();
  // A client that hung up meanwhile has nobody to answer to.
  if (raw.body && !raw.bodyUsed) await read(raw.body, 0).catch(() => undefined);
};

/** Refuse a body over the limit, with or without a declared length. */
export function limitBody(maxBytes: number, refuse: (c: Context) => Response): MiddlewareHandler {
  return async (c, next) => {
    const { body } = c.req.raw;
    if (!body) return next();
    const { parts, isTooLarge } = await read(body, maxBytes);
    if (isTooLarge) return refuse(c);
    c.req.raw = new Request(c.req.raw, { body: await new Blob(parts).arrayBuffer() });
    return next();
  };
}
