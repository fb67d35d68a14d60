import { connect, createServer, type Server, type Socket } from 'node:net';

/** A client that waits longer than this for an answer is cut off. */
const DRAIN_MS = 3000;
/** An answer in pieces counts as complete when no piece has come for this long. */
const QUIET_MS = 40;

export type Relay = {
  /** Holds new requests until `work` is done. Requests under way are answered first. */
  during(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/**
 * One port for a server that restarts now and then: passes bytes on and knows no HTTP. An idle connection outlives
 * the server behind it, and its next request goes to the new one. `portOf` returns that server's own port.
 */
export async function startRelay(port: number, portOf: () => number, drainMs = DRAIN_MS): Promise<Relay> {
  const lines = new Set<Line>();
  let open: Promise<void> = Promise.resolve();
  let isHeld = false;

  const server: Server = createServer({ noDelay: true, pauseOnConnect: true }, (client) => {
    const line = createLine(client, portOf);
    lines.add(line);
    client.once('close', () => lines.delete(line));
    if (!isHeld) line.resume();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', resolve);
  });

  async function drain(): Promise<void> {
    for (const end = Date.now() + drainMs; Date.now() < end; ) {
      for (const line of lines) if (!line.isBusy()) line.hold();
      if ([...lines].every((line) => line.isHeld())) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async function hold(work: () => Promise<void>): Promise<void> {
    isHeld = true;
    try {
      await drain();
      for (const line of lines) if (!line.isHeld()) line.cut();
      await work();
    } finally {
      isHeld = false;
      for (const line of lines) line.resume();
    }
  }

  return {
    during(work) {
      const done = open.then(() => hold(work));
      open = done.catch(() => undefined);
      return done;
    },
    async close() {
      for (const line of lines) line.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Line = ReturnType<typeof createLine>;

/** A client's connection and its current connection to the server, if any. */
function createLine(client: Socket, portOf: () => number) {
  let behind: Socket | undefined;
  let isHeld = true;
  let isAsked = false;
  let movedAt = 0;

  function open(): Socket {
    const socket = connect({ port: portOf(), host: '127.0.0.1', noDelay: true });
    socket.on('data', (piece) => {
      isAsked = false;
      movedAt = Date.now();
      if (!client.write(piece)) socket.pause();
    });
    socket.on('drain', () => {
      if (!isHeld) client.resume();
    });
    socket.on('error', () => socket.destroy());
    socket.on('end', () => {
      if (socket === behind) client.end();
    });
    socket.on('close', () => {
      if (socket === behind) client.destroy();
    });
    return socket;
  }

  client.on('data', (piece) => {
    isAsked = true;
    behind ??= open();
    if (!behind.write(piece)) client.pause();
  });
  client.on('drain', () => behind?.resume());
  client.on('end', () => behind?.end());
  client.on('error', () => client.destroy());
  client.on('close', () => behind?.destroy());

  return {
    isBusy: () => isAsked || Date.now() - movedAt < QUIET_MS,
    isHeld: () => isHeld,
    hold() {
      if (isHeld) return;
      isHeld = true;
      client.pause();
      const former = behind;
      behind = undefined;
      former?.destroy();
    },
    resume() {
      isHeld = false;
      client.resume();
    },
    cut() {
      client.destroy();
    },
  };
}
