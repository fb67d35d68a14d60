import type { TestApp } from '#tests/support/login';
import type { Meter } from '#tests/support/unit/meter';

export type Call = {
  /** Where it is not the route's own. */
  path?: string;
  /** Measured as a row of its own. */
  query?: string;
  token?: string;
  headers?: Record<string, string>;
  /** JSON, a form with files, or text as it is. */
  body?: unknown;
  status?: number;
};

export type Ask = ReturnType<typeof askerOf>;

/** Measured requests: each must be answered as it is meant to be, and what it set off is part of it. */
export function askerOf(meter: Meter, { request, settled }: Pick<TestApp, 'request' | 'settled'>) {
  return async <T>(route: string, { path, query, token, headers = {}, body, status = 200 }: Call = {}) => {
    const [method = '', own = ''] = route.split(' ');
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
      const response = await request(`${path ?? own}${query ? `?${query}` : ''}`, init);
      const text = new TextDecoder().decode(await response.arrayBuffer());
      await settled();
      return { response, text };
    });
    if (response.status !== status) throw new Error(`${route}: ${response.status} ${text.slice(0, 300)}`);
    const isData = response.headers.get('content-type')?.includes('json') ?? false;
    return { response, text, data: (isData ? JSON.parse(text) : undefined) as T };
  };
}
