import { Agent, createServer, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { type Relay, startRelay } from './relay.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterEach(() => agent.destroy());

/** A server whose responses the test controls; each response names the server. */
async function startServer(name: string) {
  const pendingResponses: ServerResponse[] = [];
  let isPrompt = true;
  const server: Server = createServer((incoming, response) => {
    incoming.resume();
    incoming.once('end', () => (isPrompt ? response.end(name) : pendingResponses.push(response)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  return {
    port: address.port,
    pendingResponses,
    stop,
    wait() {
      isPrompt = false;
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createTcpServer();
  const port = await new Promise<number>((resolve) => {
    probe.listen(0, 'localhost', () => {
      const address = probe.address();
      resolve(address !== null && typeof address !== 'string' ? address.port : 0);
    });
  });
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const ask = (port: number, body = '') =>
  new Promise<{ text: string; isReused: boolean }>((resolve, reject) => {
    const sent = request({ host: 'localhost', port, method: 'POST', agent }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve({ text, isReused: sent.reusedSocket }));
    });
    sent.once('error', reject);
    sent.end(body);
  });

async function relayTo(portOf: () => number, drainMs?: number): Promise<{ port: number; relay: Relay }> {
  const port = await freePort();
  const relay = await startRelay(port, portOf, drainMs);
  onTestFinished(() => relay.close());
  return { port, relay };
}

it('an idle connection reaches the next server without an error', async () => {
  const first = await startServer('first');
  const second = await startServer('second');
  let targetPort = first.port;
  const { port, relay } = await relayTo(() => targetPort);
  expect(await ask(port)).toMatchObject({ text: 'first' });
  await relay.during(async () => {
    first.stop();
    targetPort = second.port;
  });
  expect(await ask(port, 'x'.repeat(3_000_000))).toEqual({ text: 'second', isReused: true });
});

it('a request that arrives during a restart is answered after it', async () => {
  const first = await startServer('first');
  const second = await startServer('second');
  let targetPort = first.port;
  const { port, relay } = await relayTo(() => targetPort);
  const answers: Promise<{ text: string }>[] = [];
  await ask(port);
  await relay.during(async () => {
    first.stop();
    answers.push(ask(port));
    targetPort = second.port;
  });
  expect(await Promise.all(answers)).toMatchObject([{ text: 'second' }]);
});

it('a restart waits for the answers to earlier requests', async () => {
  const first = await startServer('first');
  first.wait();
  const { port, relay } = await relayTo(() => first.port);
  const answer = ask(port);
  await expect.poll(() => first.pendingResponses.length).toBe(1);
  let isRestarted = false;
  const restart = relay.during(async () => {
    isRestarted = true;
  });
  expect(isRestarted).toBe(false);
  first.pendingResponses[0]?.end('at last');
  expect(await answer).toMatchObject({ text: 'at last' });
  await restart;
  expect(isRestarted).toBe(true);
});

it('a restart waits for a streamed response, even with long gaps between chunks', async () => {
  const first = await startServer('first');
  first.wait();
  const { port, relay } = await relayTo(() => first.port);
  const answer = ask(port);
  await expect.poll(() => first.pendingResponses.length).toBe(1);
  first.pendingResponses[0]?.write('one, ');
  // Only the relay's own clock advances: a second without a chunk, less than a client may wait.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let isRestarted = false;
  const restart = relay.during(async () => {
    isRestarted = true;
    first.stop();
  });
  await vi.advanceTimersByTimeAsync(1000);
  expect(isRestarted).toBe(false);
  vi.useRealTimers();
  first.pendingResponses[0]?.end('two');
  expect(await answer).toMatchObject({ text: 'one, two' });
  await restart;
});

it('a client that disconnects during a restart does not block later ones', async () => {
  const first = await startServer('first');
  const { port, relay } = await relayTo(() => first.port);
  let closed: Promise<unknown> = Promise.resolve();
  await relay.during(async () => {
    const leaving = request({ host: 'localhost', port });
    closed = new Promise((resolve) => leaving.once('close', resolve));
    leaving.once('error', () => undefined);
    leaving.once('socket', (socket) => socket.once('connect', () => leaving.destroy()));
    leaving.end();
    await closed;
  });
  await relay.during(async () => undefined);
  expect(await ask(port)).toMatchObject({ text: 'first' });
});

it('a client that waits too long is cut off and does not block the new build', async () => {
  const first = await startServer('first');
  first.wait();
  const { port, relay } = await relayTo(() => first.port, 100);
  const answer = ask(port).catch((cause: Error) => cause);
  await expect.poll(() => first.pendingResponses.length).toBe(1);
  await relay.during(async () => undefined);
  expect(await answer).toBeInstanceOf(Error);
});
