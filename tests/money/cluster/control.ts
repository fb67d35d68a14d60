import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decimalFromCents, parseCents } from '#shared/money';
import type { Point } from './knobs.ts';

export type Control = {
  url: string;
  /** Resolves once `count` requests wait at a point; released ones do not count. */
  waitFor(point: Point, count: number): Promise<void>;
  /** Releases all waiting requests, or those at one point. */
  release(point?: Point): void;
  close(): Promise<void>;
};

/** Serves the Worker's fail points, and a gateway that charges a dollar less than asked. */
export async function startControl(gatewayUrl: () => string): Promise<Control> {
  let waiting: { point: Point; response: ServerResponse }[] = [];
  let waiters: { point: Point; count: number; resolve: () => void }[] = [];

  const wake = () => {
    waiters = waiters.filter(({ point, count, resolve }) => {
      if (waiting.filter((one) => one.point === point).length < count) return true;
      resolve();
      return false;
    });
  };

  const server = createServer((request, response) => {
    const [, kind, ...rest] = (request.url ?? '').split('/');
    if (kind === 'points') {
      const one = { point: rest[0] as Point, response };
      response.on('close', () => {
        waiting = waiting.filter((other) => other !== one);
      });
      waiting.push(one);
      wake();
    } else {
      void shortChange(request, response, `${gatewayUrl()}/${rest.join('/')}`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waitFor: (point, count) =>
      new Promise((resolve) => {
        waiters.push({ point, count, resolve });
        wake();
      }),
    release(point) {
      for (const one of waiting) if (point === undefined || one.point === point) one.response.end();
      waiting = waiting.filter((one) => point !== undefined && one.point !== point);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Passes a call on to the gateway, a sale for a dollar less. */
async function shortChange(request: IncomingMessage, response: ServerResponse, url: string) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const text = Buffer.concat(chunks).toString();
  const body = text.replace(/"amount":"([\d.]+)"/, (_all: string, amount: string) => `"amount":"${less(amount)}"`);
  const kept = ['content-type', 'api-key', 'mobilejwt'].flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  const method = request.method ?? 'GET';
  const answer = await fetch(url, { method, headers: kept, body: method === 'GET' ? null : body });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
  response.end(await answer.text());
}

const less = (amount: string) => decimalFromCents((parseCents(amount) ?? 0) - 100);
