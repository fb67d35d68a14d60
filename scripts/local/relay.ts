import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Time (ms) that requests in progress get before a restart; then their connections are cut. */
const DRAIN_MS = 3000;
/** Idle connections (ms) are closed before the server would close them, which it does after five seconds. */
const POOL_OPTIONS = { keepAlive: true, timeout: 3000 };
/** In bytes; the server behind the relay has its own limit. */
const MAX_HEADER_BYTES = 1_000_000;
/** Headers that concern only one connection. */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive']);

export type Relay = {
  /** Holds new requests until `work` is done. Requests in progress are completed first. */
  during(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/**
 * One port for a server that restarts occasionally. A client's idle connection survives the restart, and its next
 * request goes to the new server. `portOf` returns that server's own port.
 */
export async function startRelay(port: number, portOf: () => number, drainMs = DRAIN_MS): Promise<Relay> {
  let agent = new Agent(POOL_OPTIONS);
  let restart: Promise<void> = Promise.resolve();
  /** Responses in progress, each with a promise that resolves when it has ended. */
  const pending = new Map<ServerResponse, Promise<unknown>>();

  const limits = { keepAliveTimeout: 0, requestTimeout: 0, maxHeaderSize: MAX_HEADER_BYTES };
  const server = createServer(limits, async (incoming, answer) => {
    await restart;
    // The client disconnected while it waited.
    if (answer.destroyed) return;
    pending.set(answer, new Promise((resolve) => answer.once('close', resolve)));
    answer.once('close', () => pending.delete(answer));
    forward(incoming, answer, agent, portOf());
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');

  async function restartDuring(work: () => Promise<void>): Promise<void> {
    const timer = setTimeout(() => {
      for (const answer of pending.keys()) answer.destroy();
    }, drainMs);
    await Promise.all(pending.values());
    clearTimeout(timer);
    agent.destroy();
    agent = new Agent(POOL_OPTIONS);
    await work();
  }

  return {
    during(work) {
      const done = restart.then(() => restartDuring(work));
      restart = done.catch(() => undefined);
      return done;
    },
    async close() {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(incoming: IncomingMessage, answer: ServerResponse, agent: Agent, port: number): void {
  const { method, url: path } = incoming;
  const headers = messageHeaders(incoming.rawHeaders);
  const abort = () => answer.destroy();
  const upstream = request({ host: '127.0.0.1', port, method, path, headers, agent }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.statusMessage ?? '', messageHeaders(reply.rawHeaders));
    answer.flushHeaders();
    reply.once('error', abort);
    reply.pipe(answer);
  });
  upstream.once('error', abort);
  answer.once('close', () => upstream.destroy());
  incoming.pipe(upstream);
}

/** Alternating header names and values, without those that concern the connection. */
const messageHeaders = (raw: string[]): string[] =>
  raw.filter((_, at) => !CONNECTION_HEADERS.has(raw[at - (at % 2)]?.toLowerCase() ?? ''));
