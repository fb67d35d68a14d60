/** The link schemes allowed in an article. */
export const linkSchemes = ['http', 'https', 'mailto', 'tel', 'sms'];

/**
 * Returns an address in its stored form, with the scheme in lower case, and the scheme or null. Used by the editor's
 * dialog and the sanitizer.
 */
export function splitHref(address: string): { href: string; scheme: string | null } {
  const trimmed = address.trim();
  const [, rawScheme] = /^([^/?#:]*):/.exec(trimmed) ?? [];
  if (rawScheme === undefined) return { href: trimmed, scheme: null };
  const scheme = rawScheme.toLowerCase();
  return { href: `${scheme}${trimmed.slice(rawScheme.length)}`, scheme };
}

/** Returns the address in a writer's input, or null if it is not allowed in a link. */
export function readHref(text: string): string | null {
  const { href, scheme } = splitHref(text);
  if (scheme === null ? /^(?:\/(?!\/)|#)/.test(href) : isLink(href, scheme)) return href;
  if (/^[^\s@/:]+@[^\s@/:]+\.[a-z]{2,}$/i.test(href)) return `mailto:${href}`;
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/.test(href) ? `https://${href}` : null;
}

const isLink = (href: string, scheme: string): boolean =>
  linkSchemes.includes(scheme) && (!scheme.startsWith('http') || href.startsWith(`${scheme}://`));
