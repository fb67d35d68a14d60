import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Time (ms) that requests in progress get before a restart; then their connections are cut. */
const DRAIN_MS = 3000;
/** Idle connections (ms) are closed before the server would close them, which it does after five seconds. */
const POOLED = { keepAlive: true, timeout: 3000 };
/** In bytes; the server behind the relay has its own limit. */
const MOST_HEADERS = 1_000_000;
/** Headers that concern only one connection. */
const OF_A_CONNECTION = new Set(['connection', 'keep-alive']);

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
  let agent = new Agent(POOLED);
  let restart: Promise<void> = Promise.resolve();
  /** Responses in progress, each with a promise that resolves when it has ended. */
  const underWay = new Map<ServerResponse, Promise<unknown>>();

  const limits = { keepAliveTimeout: 0, requestTimeout: 0, maxHeaderSize: MOST_HEADERS };
  const server = createServer(limits, async (incoming, answer) => {
    await restart;
    // The client disconnected while it waited.
    if (answer.destroyed) return;
    underWay.set(answer, new Promise((resolve) => answer.once('close', resolve)));
    answer.once('close', () => underWay.delete(answer));
    passOn(incoming, answer, agent, portOf());
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');

  async function restartDuring(work: () => Promise<void>): Promise<void> {
    const late = setTimeout(() => {
      for (const answer of underWay.keys()) answer.destroy();
    }, drainMs);
    await Promise.all(underWay.values());
    clearTimeout(late);
    agent.destroy();
    agent = new Agent(POOLED);
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

function passOn(incoming: IncomingMessage, answer: ServerResponse, agent: Agent, port: number): void {
  const { method, url: path } = incoming;
  const headers = ofTheMessage(incoming.rawHeaders);
  const cut = () => answer.destroy();
  const asked = request({ host: '127.0.0.1', port, method, path, headers, agent }, (given) => {
    answer.writeHead(given.statusCode ?? 502, given.statusMessage ?? '', ofTheMessage(given.rawHeaders));
    answer.flushHeaders();
    given.once('error', cut);
    given.pipe(answer);
  });
  asked.once('error', cut);
  answer.once('close', () => asked.destroy());
  incoming.pipe(asked);
}

/** Alternating header names and values, without those that concern the connection. */
const ofTheMessage = (raw: string[]): string[] =>
  raw.filter((_, at) => !OF_A_CONNECTION.has(raw[at - (at % 2)]?.toLowerCase() ?? ''));
