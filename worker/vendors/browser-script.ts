import { monitorLimits } from '#shared/limits';
import type { BrowserScript } from './gateway-port.ts';
import { readFile } from './http.ts';

/** Read a browser script as bytes. Never throws; returns `unavailable` if no complete response arrives in time. */
export async function readBrowserScript(scriptUrl: string, timeoutMs: number): Promise<BrowserScript> {
  try {
    const { status, headers, body } = await readFile(scriptUrl, timeoutMs, monitorLimits.script);
    return { status, type: headers.get('content-type') ?? '', body };
  } catch {
    return 'unavailable';
  }
}
