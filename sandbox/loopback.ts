/** Whether a Host header (with or without port) names this machine; another name may be a web page's trick. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host);
}
