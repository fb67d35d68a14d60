import { unwrap } from '../dom.ts';

const KEPT_SCHEMES = /^(?:https?|mailto|tel):$/;

/**
 * Keeps the targets of links. A relative link has lost its site unless the text names it, and an anchor within the
 * copied page is not copied: both are replaced by their text.
 */
export function tidyLinks(body: Element, origin: string): void {
  const base = body.ownerDocument.querySelector('base[href]')?.getAttribute('href') ?? '';
  for (const link of [...body.querySelectorAll('a')]) {
    const address = addressOf(link.getAttribute('href')?.trim() ?? '', base, origin);
    if (address === null) unwrap(link);
    else link.setAttribute('href', address);
  }
}

function addressOf(href: string, base: string, origin: string): string | null {
  if (href === '' || href.startsWith('#')) return null;
  const url = URL.canParse(href) ? new URL(href) : URL.canParse(href, base) ? new URL(href, base) : null;
  if (url === null || !KEPT_SCHEMES.test(url.protocol)) return null;
  const target = targetOf(url);
  if (target.origin === origin) return target.pathname + target.search + target.hash;
  // Keep the address as written, except for the case of its scheme. A parser would change more.
  return target === url && URL.canParse(href) ? href.replace(/^[a-z]+:/i, url.protocol) : target.href;
}

/** The address behind a mail program's or search engine's redirect. */
function targetOf(url: URL): URL {
  const isRedirect =
    url.hostname.endsWith('.safelinks.protection.outlook.com') ||
    (/^www\.google\.[a-z.]+$/.test(url.hostname) && url.pathname === '/url');
  const target = isRedirect ? (url.searchParams.get('url') ?? url.searchParams.get('q') ?? '') : '';
  return URL.canParse(target) && KEPT_SCHEMES.test(new URL(target).protocol) ? new URL(target) : url;
}
