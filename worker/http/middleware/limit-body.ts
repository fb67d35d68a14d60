import type { Context, MiddlewareHandler } from 'hono';
import { apiError } from '#worker/http/reply/errors';

/** How much of an unread body we drain. */
const DRAINED_BYTES = 16_000_000;

/** Reads a body; bytes over the limit are only counted. */
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
 * Drain the unread body so the client sees our answer: one that is still sending (a proxy too) would see a broken
 * connection instead.
 */
export const drain = ({ body, bodyUsed }: Request): Promise<unknown> | undefined =>
  // A client that hung up meanwhile needs no answer.
  body && !bodyUsed ? read(body, 0).catch(() => undefined) : undefined;

/**
 * Refuses a body over the limit, with or without a declared length. Bodies of GET and HEAD are ignored: they have no
 * meaning, and the Request constructor refuses them.
 */
export function limitBody(maxBytes: number, refuse: (c: Context) => Response): MiddlewareHandler {
  return async (c, next) => {
    const { body, method } = c.req.raw;
    if (!body || method === 'GET' || method === 'HEAD') return next();
    const taken = await read(body, maxBytes).catch(() => null);
    // The client hung up half-way: it will not see this answer, and nothing of ours went wrong.
    if (!taken) return apiError(c, 400, 'bad-request', 'The request could not be read.');
    if (taken.isTooLarge) return refuse(c);
    c.req.raw = new Request(c.req.raw, { body: await new Blob(taken.parts).arrayBuffer() });
    return next();
  };
}
