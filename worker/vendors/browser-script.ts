import { monitorLimits } from '#shared/limits';
import type { BrowserScript } from './gateway-port.ts';
import { readFile } from './http.ts';

/** The provider's script for browsers, byte by byte. Never throws: no complete answer in time is `unavailable`. */
export async function readBrowserScript(scriptUrl: string, timeoutMs: number): Promise<BrowserScript> {
  try {
    const { status, headers, body } = await readFile(scriptUrl, timeoutMs, monitorLimits.script);
    return { status, type: headers.get('content-type') ?? '', body };
  } catch {
    return 'unavailable';
  }
}
