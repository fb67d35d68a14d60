/** Reads the token from the cookie that scripts may read. */
export function tokenIn(cookies: string): string | null {
  for (const pair of cookies.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === 'authToken' && value) return value;
  }
  return null;
}
