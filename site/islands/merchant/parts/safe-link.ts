/** Accepts an address from outside as a link only with https, or with http on loopback. */
export function safeLink(address: string): string | null {
  try {
    const { protocol, hostname, href } = new URL(address);
    const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
    return protocol === 'https:' || (protocol === 'http:' && isLocal) ? href : null;
  } catch {
    return null;
  }
}
