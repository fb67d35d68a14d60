import type { TestApp } from '#tests/support/login';
import type { Meter } from '#tests/support/unit/meter';

export type Call = {
  /** The path, if it differs from the route. */
  path?: string;
  /** The query string; requests with one are measured in their own row. */
  query?: string;
  token?: string;
  headers?: Record<string, string>;
  /** An object sent as JSON, a form with files, or plain text. */
  body?: unknown;
  status?: number;
};

export type Ask = ReturnType<typeof askerOf>;

/** Returns a function that sends measured requests and throws on an unexpected status. Background work counts too. */
export function askerOf(meter: Meter, { request, settled }: Pick<TestApp, 'request' | 'settled'>) {
  return async <T>(route: string, { path, query, token, headers = {}, body, status = 200 }: Call = {}) => {
    const [method = '', routePath = ''] = route.split(' ');
    const isJson = typeof body === 'object' && !(body instanceof FormData);
    const init: RequestInit = {
      method,
      headers: {
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
    };
    const { response, text } = await meter.measure(query ? `${route} ?${query}` : route, async () => {
      const response = await request(`${path ?? routePath}${query ? `?${query}` : ''}`, init);
      const text = new TextDecoder().decode(await response.arrayBuffer());
      await settled();
      return { response, text };
    });
    if (response.status !== status) throw new Error(`${route}: ${response.status} ${text.slice(0, 300)}`);
    const isData = response.headers.get('content-type')?.includes('json') ?? false;
    return { response, text, data: (isData ? JSON.parse(text) : undefined) as T };
  };
}
