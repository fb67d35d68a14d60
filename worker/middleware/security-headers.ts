import type { MiddlewareHandler } from 'hono';

const HEADERS: Record<string, string> = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/** Every answer of the Worker carries these; a page that needs a stricter value has set it already. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  const requestId = crypto.randomUUID();
  c.header('x-request-id', requestId);
  await next();
  c.header('x-request-id', requestId);
  for (const [name, value] of Object.entries(HEADERS)) if (!c.res.headers.has(name)) c.header(name, value);
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
  const isPage = c.res.headers.get('content-type')?.startsWith('text/html');
  if (!c.res.headers.has('content-security-policy') && !isPage) {
    c.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  }
};
