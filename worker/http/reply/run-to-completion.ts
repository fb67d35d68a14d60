import type { Context } from 'hono';
import type { Deps } from '#worker/deps';
import { keepAlerts } from '#worker/domain/alerts/keep';

/** Areas have contexts of their own; all of a request's work has one execution context. */
const depsOf = new WeakMap<object, Deps>();

/** The deps of a request, whose alerts are written down once its work is done. */
export const keepAlertsOf = (c: Context, deps: Deps): void => void depsOf.set(c.executionCtx, deps);

/**
 * Work that goes on after the answer: the platform cancels it at that moment, or when the client hangs up, unless it is told
 * to wait. What a handler awaits needs none of this, because everyRequest() keeps the request itself.
 */
export function runToCompletion(c: Context, work: Promise<unknown>): void {
  const done = async () => {
    const deps = depsOf.get(c.executionCtx);
    if (deps?.raised.length) await keepAlerts(deps);
  };
  c.executionCtx.waitUntil(work.then(done, done).catch(() => undefined));
}

const LINES = 'application/x-ndjson';
/** Proxies cut a line that is quiet for a minute, some sooner. */
const QUIET_MS = 15_000;

export const wantsLines = (c: Context): boolean => (c.req.header('accept') ?? '').includes(LINES);

type Open = {
  /** The first line, sent at once. */
  first: unknown;
  /** The work that the reply waits for. */
  going: Promise<unknown>;
  /** Read when the work is done; the last line. */
  outcome(): Promise<unknown>;
  pause(ms: number): Promise<void>;
};

/**
 * A reply that stays open until the work is done: while the client stays connected, the platform lets the work take as long
 * as it needs. Between its two lines it sends empty ones. Its status is out with the first byte, so all that can be refused
 * has to be decided before.
 */
export function openReply({ first, going, outcome, pause }: Open): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  // A client that has gone fails the write, not the work.
  const write = (value?: unknown): void => {
    const line = value === undefined ? '\n' : `${JSON.stringify(value)}\n`;
    void writer.write(encoder.encode(line)).catch(() => undefined);
  };
  const over = Promise.race([going, writer.closed]).then(
    () => true,
    () => true,
  );
  const speak = async (): Promise<void> => {
    write(first);
    while (!(await Promise.race([over, pause(QUIET_MS).then(() => false)]))) write();
    write(await outcome());
  };
  const close = () => writer.close().catch(() => undefined);
  void speak().then(close, close);
  return new Response(readable, { headers: { 'content-type': LINES } });
}
