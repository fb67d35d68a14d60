import { request } from 'node:http';

/**
 * Sends a request on its own connection. The runtime closes idle connections after some seconds, sometimes just as one
 * is reused, and such a failure says nothing about the Worker. Rejects with a TypeError if the connection breaks, as
 * `fetch` does.
 */
export function callUnpooled(url: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(new TypeError('the connection broke', { cause }));
    const text = typeof body === 'string' ? body : '';
    const length = { 'content-length': String(Buffer.byteLength(text)) };
    const sentHeaders = { ...Object.fromEntries(new Headers(headers)), ...(body ? length : {}) };
    request(url, { method, headers: sentHeaders, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', fail);
      answer.on('end', () => {
        const status = answer.statusCode ?? 0;
        const hasBody = status !== 204 && status !== 304;
        resolve(
          new Response(hasBody ? Buffer.concat(parts) : null, { status, headers: headersOf(answer.headersDistinct) }),
        );
      });
    })
      .on('error', fail)
      .end(text);
  });
}

const headersOf = (all: NodeJS.Dict<string[]>) =>
  new Headers(
    Object.entries(all).flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value])),
  );
