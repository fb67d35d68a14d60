import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createSandbox, type Sandbox, type SandboxOptions } from './index.ts';

export type ListenOptions = Omit<SandboxOptions, 'publicUrl'> & {
  /** 0 picks a free port. */
  port: number;
  /** By default http://localhost with the port. */
  publicUrl?: string;
};

export type ListeningSandbox = { url: string; port: number; sandbox: Sandbox; close(): Promise<void> };

function listen(host: string, port: number, handle: RequestListener): Promise<Server> {
  const server = createServer(handle);
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

/** Also listens on ::1, to which some clients resolve `localhost`; skips it on a machine without IPv6. */
async function listenOnBoth(port: number, handle: RequestListener): Promise<Server[]> {
  const first = await listen('127.0.0.1', port, handle);
  const boundPort = portOf(first);
  try {
    return [first, await listen('::1', boundPort, handle)];
  } catch (cause) {
    if (codeOf(cause) !== 'EADDRINUSE') return [first];
    await stop(first);
    if (port === 0) return listenOnBoth(0, handle);
    throw cause;
  }
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Starts a real server on loopback: cutting a connection needs a socket. Rejects with EADDRINUSE on a taken port. */
export async function listenSandbox(options: ListenOptions): Promise<ListeningSandbox> {
  let handle: RequestListener = (_request, response) => {
    response.writeHead(503).end();
  };
  const servers = await listenOnBoth(options.port, (request, response) => handle(request, response));
  const port = portOf(servers[0]);
  const url = `http://localhost:${port}`;
  let sandbox: Sandbox;
  try {
    sandbox = createSandbox({ ...options, publicUrl: options.publicUrl ?? url });
  } catch (cause) {
    await Promise.all(servers.map(stop));
    throw cause;
  }
  handle = getRequestListener(sandbox.app.fetch, { overrideGlobalObjects: false });
  return {
    url,
    port,
    sandbox,
    async close() {
      await Promise.all(servers.map(stop));
      sandbox.close();
    },
  };
}
