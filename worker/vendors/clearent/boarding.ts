import * as z from 'zod/mini';
import { plainText } from '#shared/text/safe-text';
import type { ApplicationOutcome, Boarding, TerminalFacts } from '../boarding-port.ts';
import { callVendor, parseJson } from '../http.ts';
import { listDeposits } from './deposits.ts';

const ApplicationReply = z.object({
  merchant: z.object({ merchantInformation: z.object({ merchantNumber: z.coerce.string() }) }),
  applicationURL: z.string(),
});

/** Returns `provider.example` for `boarding.provider.example`; a name of at most two labels is unchanged. */
const domainOf = (base: string): string => new URL(base).hostname.replace(/^[^.]+\.(?=[^.]+\.)/, '');

/**
 * True if a set-up URL may be stored, emailed and linked: it uses https, or http on loopback, and a host of the
 * provider.
 */
function isSetUpLink(address: string, hosts: string[]): boolean {
  try {
    const { protocol, hostname, username, password } = new URL(address);
    const isSecure = protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(hostname));
    const isProviderHost = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
    return isSecure && isProviderHost && username === '' && password === '';
  } catch {
    return false;
  }
}

type ApplicationOptions = {
  boardingBase: string;
  linkHosts: string[];
  accessKey: string;
  hierarchyNodeKey: string;
  mccCode: string;
  timeoutMs: number;
};

/** Submits an application for a business. Its owner completes it on the provider's set-up page. */
export async function createApplication(
  { boardingBase, linkHosts, accessKey, hierarchyNodeKey, mccCode, timeoutMs }: ApplicationOptions,
  { dbaName, email }: { dbaName: string; email: string },
): Promise<ApplicationOutcome> {
  const hosts = [domainOf(boardingBase), ...linkHosts];
  const path = `/api/launchIntegratorSetup/v1.0/integrateMerchant/${hierarchyNodeKey}`;
  try {
    const reply = await callVendor(
      `${boardingBase}${path}`,
      {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json', AccessKey: accessKey },
        body: JSON.stringify({
          merchantInformation: { dbaName, emailAddress: email },
          salesProfile: { mccCode },
        }),
      },
      timeoutMs,
    );
    const created = ApplicationReply.safeParse(parseJson(reply.text));
    if (reply.status === 201 && created.success && isSetUpLink(created.data.applicationURL, hosts)) {
      const { merchant, applicationURL } = created.data;
      return {
        kind: 'created',
        merchantNumber: merchant.merchantInformation.merchantNumber,
        signupUrl: applicationURL,
      };
    }
    if (reply.status >= 400 && reply.status < 500) return { kind: 'refused', message: `HTTP ${reply.status}` };
    return { kind: 'unknown' };
  } catch {
    return { kind: 'unknown' };
  }
}

const text = z._default(z.catch(z.pipe(z.string(), z.transform(plainText)), ''), '');
const TerminalSettings = z.object({
  payload: z.object({
    'terminal-settings': z.object({
      'merchant-id': z.coerce.string(),
      'terminal-id': z.coerce.string(),
      'terminal-name': text,
      'commerce-type': text,
    }),
  }),
});

/** Queries the gateway for the terminal of an API key. */
export async function describeTerminal(
  { gatewayBase, timeoutMs }: { gatewayBase: string; timeoutMs: number },
  apiKey: string,
): Promise<TerminalFacts | 'bad-credentials' | 'unavailable'> {
  try {
    const headers = { accept: 'application/json', 'api-key': apiKey };
    const reply = await callVendor(`${gatewayBase}/rest/v2/settings/terminal`, { headers }, timeoutMs);
    if (reply.status === 401 || reply.status === 403) return 'bad-credentials';
    const parsed = TerminalSettings.safeParse(parseJson(reply.text));
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

export type BoardingOptions = {
  gatewayBase: string;
  boardingBase: string;
  /** The base URL of the payout reports; empty if there are none. */
  reportingBase: string;
  /** Hosts of set-up pages besides the boarding service's own domain. */
  linkHosts: string[];
  accessKey: string;
  hierarchyNodeKey: string;
  mccCode: string;
  timeoutMs: number;
};
const BoardingWebhook = z.object({
  event: z.string().check(z.minLength(1), z.maxLength(60)),
  merchantId: z.coerce.string(),
  payload: z._default(
    z.object({
      terminals: z._default(
        z.array(z.object({ apiKey: z.string().check(z.minLength(1)), publicKey: text, name: text })),
        [],
      ),
    }),
    { terminals: [] },
  ),
});

/** The provider's boarding service, and the gateway call that checks a terminal's key. No payer page uses it. */
export const createClearentBoarding = (options: BoardingOptions): Boarding => ({
  createApplication: (request) => createApplication(options, request),

  readEvent(raw) {
    const parsed = BoardingWebhook.safeParse(parseJson(raw));
    if (!parsed.success) return null;
    const { event, merchantId, payload } = parsed.data;
    return { event, merchantNumber: merchantId, terminals: payload.terminals, raw };
  },

  listDeposits: (merchantNumber, day) => listDeposits(options, merchantNumber, day),

  describeTerminal: (apiKey) => describeTerminal(options, apiKey),
});
