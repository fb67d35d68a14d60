/** The token in the cookie that the page's scripts may read. */
export function tokenIn(cookies: string): string | null {
  for (const pair of cookies.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === 'authToken' && value) return value;
  }
  return null;
}

/** When a token ends, in milliseconds, as it says itself; only the Worker can tell whether that is true. */
export function endOf(token: string): number | null {
  try {
    const [, claims = ''] = token.split('.');
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : null;
  } catch {
    return null;
  }
}
