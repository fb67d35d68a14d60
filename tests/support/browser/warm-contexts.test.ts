import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeBrowser, lendContext, returnContext } from './warm-contexts.ts';

const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>Hello'));
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await closeBrowser();
  server.closeAllConnections();
  server.close();
});

const options = { viewport: { width: 800, height: 600 } };
/** Reads everything that an earlier page can leave for a later one. */
const READ = `(async () => [
  document.cookie,
  localStorage.getItem('left'),
  sessionStorage.getItem('left'),
  (await indexedDB.databases()).map(({ name }) => name),
  (await caches.keys()),
  (await navigator.permissions.query({ name: 'geolocation' })).state,
  history.length,
  document.body.innerText,
])()`;
const LEAVE = `(async () => {
  document.cookie = 'left=1';
  localStorage.setItem('left', '1');
  sessionStorage.setItem('left', '1');
  await new Promise((resolve) => { indexedDB.open('left').onsuccess = resolve; });
  await caches.open('left');
})()`;
const CLEAN = ['', null, null, [], [], 'prompt', 2, 'Hello'];

test('a context that is lent again is clean', async () => {
  const first = await lendContext(options);
  const page = await first.context.newPage();
  await page.goto(origin);
  expect(await page.evaluate(READ)).toEqual(CLEAN);
  await page.evaluate(LEAVE);
  await first.context.grantPermissions(['geolocation'], { origin });
  await first.context.route('**/*', (route) => route.fulfill({ body: 'from a test' }));
  await first.context.setOffline(true);
  await returnContext(first);

  const second = await lendContext(options);
  expect(second.context).toBe(first.context);
  const next = await second.context.newPage();
  await next.goto(origin);
  expect(await next.evaluate(READ)).toEqual(CLEAN);
  await returnContext(second);
});

test('a context can start with a login state, which the next context does not see', async () => {
  const cookie = { name: 'a', value: '1', domain: '127.0.0.1', path: '/', expires: -1, httpOnly: false, secure: false };
  const storageState = {
    cookies: [{ ...cookie, sameSite: 'Lax' as const }],
    origins: [{ origin, localStorage: [{ name: 'left', value: 'by a login' }] }],
  };
  const read = "[document.cookie, localStorage.getItem('left')]";
  for (const state of [storageState, undefined, storageState, undefined]) {
    const lent = await lendContext({ ...options, ...(state && { storageState: state }) });
    const page = await lent.context.newPage();
    await page.goto(origin);
    expect(await page.evaluate(read)).toEqual(state ? ['a=1', 'by a login'] : ['', null]);
    await returnContext(lent);
  }
});

test('contexts lent at the same time, or with different options, are different', async () => {
  const lent = await Promise.all([
    lendContext(options),
    lendContext(options),
    lendContext({ ...options, locale: 'de' }),
  ]);
  expect(new Set(lent.map(({ context }) => context)).size).toBe(3);
  await Promise.all(lent.map(returnContext));
});

test('a context with a changed clock is not lent again', async () => {
  // Uses its own options; otherwise the second context could come from another test.
  const distinctOptions = { ...options, locale: 'fr' };
  const first = await lendContext(distinctOptions);
  const page = await first.context.newPage();
  await page.clock.install({ time: 0 });
  await page.goto(origin);
  expect(await page.evaluate('new Date().getUTCFullYear()')).toBe(1970);
  await returnContext(first);
  const second = await lendContext(distinctOptions);
  expect(second.context).not.toBe(first.context);
  await returnContext(second);
});
