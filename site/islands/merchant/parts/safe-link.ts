/** An address from outside becomes a link only as https, or as http on this machine. */
export function safeLink(address: string): string | null {
  try {
    const { protocol, hostname, href } = new URL(address);
    const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
    return protocol === 'https:' || (protocol === 'http:' && isLocal) ? href : null;
  } catch {
    return null;
  }
}
