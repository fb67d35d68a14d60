import type { Context } from 'hono';
import type { Deps } from '#worker/deps';
import { storeAlerts } from '#worker/domain/alerts/store-alerts';

/**
 * The key is the execution context, because areas have their own contexts, but a request has only one execution
 * context.
 */
const depsOf = new WeakMap<object, Deps>();

/** Registers the deps of a request, whose alerts are stored once its work is done. */
export const registerDeps = (c: Context, deps: Deps): void => void depsOf.set(c.executionCtx, deps);

/**
 * Runs work beyond the response. Without this, the platform cancels it after the response or when the client
 * disconnects. Work that a handler awaits does not need this, because everyRequest() covers the request itself.
 */
export function runToCompletion(c: Context, work: Promise<unknown>): void {
  const storeRemainingAlerts = async () => {
    const deps = depsOf.get(c.executionCtx);
    if (deps?.raised.length) await storeAlerts(deps);
  };
  c.executionCtx.waitUntil(work.then(storeRemainingAlerts, storeRemainingAlerts).catch(() => undefined));
}

const NDJSON = 'application/x-ndjson';
/** The interval between empty lines (ms). Proxies close a connection that is idle for a minute, some sooner. */
const KEEPALIVE_MS = 15_000;

export const acceptsLines = (c: Context): boolean => (c.req.header('accept') ?? '').includes(NDJSON);

type ReplyOptions = {
  /** The first line, sent at once. */
  firstLine: unknown;
  /** The work for which the reply waits. */
  work: Promise<unknown>;
  /** The last line, read when the work is done. */
  outcome(): Promise<unknown>;
  pause(ms: number): Promise<void>;
};

/**
 * Keeps a reply open until the work is done, because the platform does not limit the work while the client is
 * connected. Sends empty lines between the first and the last line. The status is sent with the first byte, so the
 * caller must send any refusal before.
 */
export function openReply({ firstLine, work, outcome, pause }: ReplyOptions): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  // A disconnected client makes the write fail, not the work.
  const writeLine = (value?: unknown): void => {
    const line = value === undefined ? '\n' : `${JSON.stringify(value)}\n`;
    void writer.write(encoder.encode(line)).catch(() => undefined);
  };
  const finished = Promise.race([work, writer.closed]).then(
    () => true,
    () => true,
  );
  const writeLines = async (): Promise<void> => {
    writeLine(firstLine);
    while (!(await Promise.race([finished, pause(KEEPALIVE_MS).then(() => false)]))) writeLine();
    writeLine(await outcome());
  };
  const close = () => writer.close().catch(() => undefined);
  void writeLines().then(close, close);
  return new Response(readable, { headers: { 'content-type': NDJSON } });
}
