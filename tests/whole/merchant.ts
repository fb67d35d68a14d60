import { consent, Jar } from '#tests/support/consent';

/** Log in through the running product as an account's administrator. */
export async function logIn(appUrl: string, accountIndex: 0 | 1 | 2): Promise<{ jar: Jar; token: string }> {
  const jar = new Jar();
  const get = async (path: string) =>
    jar.take(await fetch(`${appUrl}${path}`, { redirect: 'manual', headers: jar.header }));
  const start = await get('/oauth/start');
  const callback = await consent(new URL(start.headers.get('location') ?? ''), accountIndex);
  await get(`${callback.pathname}${callback.search}`);
  return { jar, token: jar.cookies.get('authToken') ?? '' };
}
