import type { Context } from 'hono';

const LINES = 'application/x-ndjson';

export const wantsLines = (c: Context): boolean => (c.req.header('accept') ?? '').includes(LINES);

/**
 * Sends one line at once and ends the reply when the work is done: while the client stays connected, the platform lets
 * the work take as long as it needs.
 */
export function firstLine(reply: unknown, going: Promise<unknown>): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  // A client that has gone fails the write, not the work.
  const close = () => writer.close().catch(() => undefined);
  void writer.write(new TextEncoder().encode(`${JSON.stringify(reply)}\n`)).catch(() => undefined);
  void going.then(close, close);
  return new Response(readable, { status: 202, headers: { 'content-type': LINES } });
}
