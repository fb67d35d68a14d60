import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { bearer, consent, Jar } from '#tests/support/consent';
import { until, useProduct } from '#tests/support/product/product';

const product = useProduct();

const get = (path: string, jar: Jar, headers: Record<string, string> = {}) =>
  fetch(`${product.appUrl}${path}`, { redirect: 'manual', headers: { ...jar.header, ...headers } }).then((response) =>
    jar.take(response),
  );

async function logIn(accountIndex: 0 | 1 | 2): Promise<{ jar: Jar; token: string }> {
  const jar = new Jar();
  const start = await get('/oauth/start', jar);
  const callback = await consent(new URL(start.headers.get('location') ?? ''), accountIndex);
  const redirect = await get(`${callback.pathname}${callback.search}`, jar);
  expect([redirect.status, redirect.headers.get('location')]).toEqual([303, '/']);
  return { jar, token: jar.cookies.get('authToken') ?? '' };
}

/** The gate in the page's HTML, decided before its first byte. */
const gateOf = async (jar: Jar) => /"gate":"([\w-]+)"/.exec(await (await get('/', jar)).text())?.[1];

describe('a clinic', () => {
  it('lands in the shell if it takes payments, and at its application if it still waits', async () => {
    expect(await gateOf((await logIn(0)).jar)).toBe('shell');
    expect(await gateOf((await logIn(2)).jar)).toBe('merchant');
  });

  it('goes from no account to terminals: sign-up, approval, devices, shell', async () => {
    await product.forgetMerchant(hubs[1].hubId);
    const { jar, token } = await logIn(1);
    expect(await gateOf(jar)).toBe('sign-up');
    const answer = await fetch(`${product.appUrl}/api/token/setup-merchant`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(token) },
      body: JSON.stringify({ dbaName: 'Harbor Physio' }),
    });
    expect(answer.status).toBe(200);
    const { merchant, merchantToToken } = (await answer.json()) as {
      merchant: { signup_url: string };
      merchantToToken: { merchant_number: string };
    };
    expect(await gateOf(jar)).toBe('merchant');
    // The provider sends a mail too; ours has the link that the app shows.
    const [mail, ...otherMails] = await until(
      async () =>
        (await product.mailTo(hubs[1].users[0]?.email ?? '')).filter(
          ({ subject, text }) =>
            subject === 'Complete the set-up of Harbor Physio' && text.includes(merchant.signup_url),
        ),
      (mails) => mails.length > 0,
    );
    expect(mail?.html).toContain('Complete Setup Process');
    expect(otherMails).toEqual([]);

    for (const word of ['approve', 'board']) {
      await product.sandbox(`applications/${merchantToToken.merchant_number}`, { do: word });
    }
    const devices = await until(
      async () =>
        (await (await fetch(`${product.appUrl}/api/terminals`, { headers: bearer(token) })).json()) as {
          terminal_id: string;
        }[],
      (list) => list.length === 3,
    );
    expect(new Set(devices.map(({ terminal_id }) => terminal_id)).size).toBe(3);
    expect(await gateOf(jar)).toBe('shell');
    const data = await fetch(`${product.appUrl}/api/token/get-merchant-data`, { headers: bearer(token) });
    expect(await data.json()).toMatchObject({
      merchant: { merchant_name: 'Harbor Physio', status: 'boarded' },
      logs: [{ event: 'Boarded' }, { event: 'Approved' }, { event: 'Applied' }],
    });
  });

  it('sees the homepage before login and after logout, and is sent to the login from an app address', async () => {
    const visitor = new Jar();
    expect(await (await get('/', visitor)).text()).toContain('Secure Payment Solutions for Modern Business');
    for (const address of [
      '/customers',
      '/userinfo',
      '/invoices',
      '/invoice/1',
      '/openInvoices',
      '/analytics',
      '/checks',
      '/takings',
      '/transactions/all',
    ]) {
      expect((await get(address, visitor)).headers.get('location'), address).toBe('/login');
    }
    const { jar } = await logIn(0);
    expect((await get('/login', jar)).headers.get('location')).toBe('/');
    await get('/logout', jar);
    expect(jar.cookies.size).toBe(0);
    expect(await (await get('/', jar)).text()).toContain('Secure Payment Solutions for Modern Business');
  });

  it('gets an in-app 404 page at an unknown address, and the site’s own without a session or for a file', async () => {
    const { jar } = await logIn(0);
    const html = { accept: 'text/html,application/xhtml+xml' };
    const unknownPage = await get('/no/such', jar, html);
    expect([unknownPage.status, unknownPage.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(await unknownPage.text()).toContain('"gate":"shell"');
    for (const [client, headers] of [
      [new Jar(), html],
      [jar, { accept: 'image/*' }],
    ] as const) {
      const answer = await get('/no/such', client, headers);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('Page not found');
    }
  });

  it('gets a new access token from its refresh token in the same answer, and dead cookies cleared', async () => {
    const { jar } = await logIn(0);
    jar.cookies.delete('authToken');
    expect(await gateOf(jar)).toBe('shell');
    expect(jar.cookies.get('authToken')).toBeDefined();
    const expired = new Jar();
    expired.cookies.set('authToken', 'a.b.c');
    expired.cookies.set('session', 'nothing');
    const page = await get('/', expired);
    expect(await page.text()).toContain('Secure Payment Solutions for Modern Business');
    expect(expired.cookies.size).toBe(0);
  });
});
