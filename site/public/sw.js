/**
 * Shows "You are offline" instead of the browser's own page, and does nothing else. It caches one page with its style
 * and font, never an API reply and never a page with names or amounts.
 */
const CACHE = 'offline-1';
const PAGE = '/offline';
/** API calls, the CRM's login, payers' pages and media: these requests are left alone. */
const NEVER = /^\/(?:api|make\/payment|media|oauth|receipt)(?:\/|$)/;

addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(keep());
});
addEventListener('activate', (event) => event.waitUntil(dropOlder()));
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || NEVER.test(pathname)) return;
  const isPage = request.mode === 'navigate';
  // Never scripts: no code is served from the cache.
  if (!isPage && !['style', 'font'].includes(request.destination)) return;
  event.respondWith(fetch(request).catch(() => kept(isPage ? PAGE : request)));
});

async function keep() {
  const cache = await caches.open(CACHE);
  const page = await fetch(PAGE, { cache: 'reload' });
  if (!page.ok) throw new Error('the offline page is not there');
  const parts = (await page.clone().text()).matchAll(/href="(\/_astro\/[^"]+)"/g);
  await Promise.all([cache.put(PAGE, page), ...[...parts].map(([, path]) => cache.add(path))]);
}

async function kept(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request)) ?? Response.error();
}

async function dropOlder() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}
