import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decimalFromCents, parseCents } from '#shared/money';
import type { Point } from './knobs.ts';

export type Control = {
  url: string;
  /** Resolves once `count` requests wait at a point; released requests do not count. */
  waitFor(point: Point, count: number): Promise<void>;
  /** Releases all waiting requests, or those at one point. */
  release(point?: Point): void;
  close(): Promise<void>;
};

/**
 * Serves the Worker's fail points and two faulty gateways: `short-change` charges a dollar less than requested;
 * `first-answer/<name>` answers every sale under that name with the answer to the first one.
 */
export async function startControl(gatewayUrl: () => string): Promise<Control> {
  const firstAnswers = new Map<string, Promise<Answer>>();
  let waiting: { point: Point; response: ServerResponse }[] = [];
  let waiters: { point: Point; count: number; resolve: () => void }[] = [];

  const wake = () => {
    waiters = waiters.filter(({ point, count, resolve }) => {
      if (waiting.filter((request) => request.point === point).length < count) return true;
      resolve();
      return false;
    });
  };

  const server = createServer((request, response) => {
    const [, kind, ...rest] = (request.url ?? '').split('/');
    if (kind === 'points') {
      const heldRequest = { point: rest[0] as Point, response };
      response.on('close', () => {
        waiting = waiting.filter((entry) => entry !== heldRequest);
      });
      waiting.push(heldRequest);
      wake();
    } else if (kind === 'first-answer') {
      const [name = '', ...path] = rest;
      const ask = async () => passOn(await read(request), `${gatewayUrl()}/${path.join('/')}`);
      const isSale = path.at(-1) === 'sale';
      const answer = (isSale && firstAnswers.get(name)) || ask();
      if (isSale) firstAnswers.set(name, answer);
      void answer.then((content) => reply(response, content));
    } else {
      const ask = async () => passOn(withLessAmount(await read(request)), `${gatewayUrl()}/${rest.join('/')}`);
      void ask().then((content) => reply(response, content));
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
      for (const heldRequest of waiting)
        if (point === undefined || heldRequest.point === point) heldRequest.response.end();
      waiting = waiting.filter((heldRequest) => point !== undefined && heldRequest.point !== point);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Call = { method: string; headers: [string, string][]; text: string };
type Answer = { status: number; type: string; text: string };

async function read(request: IncomingMessage): Promise<Call> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const headers = ['content-type', 'api-key', 'mobilejwt'].flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return { method: request.method ?? 'GET', headers, text: Buffer.concat(chunks).toString() };
}

async function passOn({ method, headers, text }: Call, url: string): Promise<Answer> {
  const answer = await fetch(url, { method, headers, body: method === 'GET' ? null : text });
  const type = answer.headers.get('content-type') ?? 'text/plain';
  return { status: answer.status, type, text: await answer.text() };
}

function reply(response: ServerResponse, { status, type, text }: Answer): void {
  response.writeHead(status, { 'content-type': type });
  response.end(text);
}

const withLessAmount = (call: Call): Call => ({
  ...call,
  text: call.text.replace(/"amount":"([\d.]+)"/, (_all: string, amount: string) => `"amount":"${minusDollar(amount)}"`),
});

const minusDollar = (amount: string) => decimalFromCents((parseCents(amount) ?? 0) - 100);
