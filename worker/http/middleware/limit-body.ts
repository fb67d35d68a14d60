import type { Context, MiddlewareHandler } from 'hono';
import { apiError } from '#worker/http/reply/errors';

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
export const drain = ({ body, bodyUsed }: Request): Promise<unknown> | undefined =>
  // A client that hung up meanwhile has nobody to answer to.
  body && !bodyUsed ? read(body, 0).catch(() => undefined) : undefined;

/**
 * Refuse a body over the limit, with or without a declared length. The body of a GET or a HEAD means nothing, and no Request
 * can be made with one: such a request is answered as if it had none.
 */
export function limitBody(maxBytes: number, refuse: (c: Context) => Response): MiddlewareHandler {
  return async (c, next) => {
    const { body, method } = c.req.raw;
    if (!body || method === 'GET' || method === 'HEAD') return next();
    const taken = await read(body, maxBytes).catch(() => null);
    // The client hung up half-way; nobody hears this answer, and nothing of ours went wrong.
    if (!taken) return apiError(c, 400, 'bad-request', 'The request could not be read.');
    if (taken.isTooLarge) return refuse(c);
    c.req.raw = new Request(c.req.raw, { body: await new Blob(taken.parts).arrayBuffer() });
    return next();
  };
}
