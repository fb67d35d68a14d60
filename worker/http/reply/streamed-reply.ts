import type { Context } from 'hono';

const LINES = 'application/x-ndjson';

export const wantsLines = (c: Context): boolean => (c.req.header('accept') ?? '').includes(LINES);

/**
 * An answer whose one line is there at once and whose end comes when the work is done: while the client stays on the line
 * the platform lets the work go on for as long as it takes.
 */
export function firstLine(reply: unknown, going: Promise<unknown>): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  // A client that has gone breaks the line, not the work.
  const close = () => writer.close().catch(() => undefined);
  void writer.write(new TextEncoder().encode(`${JSON.stringify(reply)}\n`)).catch(() => undefined);
  void going.then(close, close);
  return new Response(readable, { status: 202, headers: { 'content-type': LINES } });
}
