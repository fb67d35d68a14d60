import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createSandbox, type Sandbox, type SandboxOptions } from './index.ts';

export type ListenOptions = Omit<SandboxOptions, 'publicUrl'> & {
  /** 0 picks a free port. */
  port: number;
  /** The default is http://localhost with the port. */
  publicUrl?: string;
};

export type ListeningSandbox = { url: string; port: number; sandbox: Sandbox; close(): Promise<void> };

function listen(host: string, port: number, handler: RequestListener): Promise<Server> {
  const server = createServer(handler);
  // Longer than any client keeps an idle connection, so that none is closed while a client sends a request.
  server.keepAliveTimeout = 75_000;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  if (!address || typeof address === 'string') throw new Error('the server is not listening on a port');
  return address.port;
}

const codeOf = (cause: unknown) => (cause instanceof Error && 'code' in cause ? cause.code : undefined);

/** Also listens on ::1, to which some clients resolve `localhost`, unless the machine has no IPv6. */
async function listenOnBothAddresses(port: number, handler: RequestListener): Promise<Server[]> {
  const ipv4Server = await listen('127.0.0.1', port, handler);
  const boundPort = portOf(ipv4Server);
  try {
    return [ipv4Server, await listen('::1', boundPort, handler)];
  } catch (cause) {
    if (codeOf(cause) !== 'EADDRINUSE') return [ipv4Server];
    await stopServer(ipv4Server);
    if (port === 0) return listenOnBothAddresses(0, handler);
    throw cause;
  }
}

function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Starts a real server on loopback, because only a socket can be cut. Rejects with EADDRINUSE if the port is taken. */
export async function listenSandbox(options: ListenOptions): Promise<ListeningSandbox> {
  let handler: RequestListener = (_request, response) => {
    response.writeHead(503).end();
  };
  const servers = await listenOnBothAddresses(options.port, (request, response) => handler(request, response));
  const port = portOf(servers[0]);
  const url = `http://localhost:${port}`;
  let sandbox: Sandbox;
  try {
    sandbox = createSandbox({ ...options, publicUrl: options.publicUrl ?? url });
  } catch (cause) {
    await Promise.all(servers.map(stopServer));
    throw cause;
  }
  handler = getRequestListener(sandbox.app.fetch, { overrideGlobalObjects: false });
  return {
    url,
    port,
    sandbox,
    async close() {
      await Promise.all(servers.map(stopServer));
      sandbox.close();
    },
  };
}
