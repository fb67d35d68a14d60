import * as z from 'zod/mini';
import { plainText } from '#shared/text/plain-text';
import type { TerminalFacts } from '../boarding-port.ts';
import { callVendor, parseJson } from '../http.ts';

const text = z._default(z.catch(z.pipe(z.string(), z.transform(plainText)), ''), '');
const Settings = z.object({
  payload: z.object({
    'terminal-settings': z.object({
      'merchant-id': z.coerce.string(),
      'terminal-id': z.coerce.string(),
      'terminal-name': text,
      'commerce-type': text,
    }),
  }),
});

/** Which terminal a key belongs to, by the gateway's word. */
export async function describeTerminal(
  { gatewayBase, timeoutMs }: { gatewayBase: string; timeoutMs: number },
  apiKey: string,
): Promise<TerminalFacts | 'bad-credentials' | 'unavailable'> {
  try {
    const headers = { accept: 'application/json', 'api-key': apiKey };
    const reply = await callVendor(`${gatewayBase}/rest/v2/settings/terminal`, { headers }, timeoutMs);
    if (reply.status === 401 || reply.status === 403) return 'bad-credentials';
    const parsed = Settings.safeParse(parseJson(reply.text));
    if (reply.status !== 200 || !parsed.success) return 'unavailable';
    const facts = parsed.data.payload['terminal-settings'];
    return {
      terminalId: facts['terminal-id'],
      name: facts['terminal-name'],
      channel: facts['commerce-type'].toUpperCase() === 'ECOMMERCE' ? 'ecommerce' : 'counter',
      merchantNumber: facts['merchant-id'],
    };
  } catch {
    return 'unavailable';
  }
}
