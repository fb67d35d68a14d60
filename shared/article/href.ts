/** The schemes of links that an article may hold. */
export const linkSchemes = ['http', 'https', 'mailto', 'tel', 'sms'];

/**
 * An address as it is stored, with its scheme in lower case, and the scheme; null for an address without one. The
 * editor's dialog and the sanitiser both decide by it.
 */
export function splitHref(address: string): { href: string; scheme: string | null } {
  const trimmed = address.trim();
  const [, written] = /^([^/?#:]*):/.exec(trimmed) ?? [];
  if (written === undefined) return { href: trimmed, scheme: null };
  const scheme = written.toLowerCase();
  return { href: `${scheme}${trimmed.slice(written.length)}`, scheme };
}

/** The address from a writer's input; null if it is not allowed in a link. */
export function readHref(text: string): string | null {
  const { href, scheme } = splitHref(text);
  if (scheme === null ? /^(?:\/(?!\/)|#)/.test(href) : isLink(href, scheme)) return href;
  if (/^[^\s@/:]+@[^\s@/:]+\.[a-z]{2,}$/i.test(href)) return `mailto:${href}`;
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/.test(href) ? `https://${href}` : null;
}

const isLink = (href: string, scheme: string): boolean =>
  linkSchemes.includes(scheme) && (!scheme.startsWith('http') || href.startsWith(`${scheme}://`));
