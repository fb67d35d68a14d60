import * as z from 'zod/mini';
import type { ApplicationOutcome } from '../boarding-port.ts';
import { callVendor, parseJson } from '../http.ts';

const Created = z.object({
  merchant: z.object({ merchantInformation: z.object({ merchantNumber: z.coerce.string() }) }),
  applicationURL: z.string(),
});

/** `boarding.provider.example` gives `provider.example`; a name of at most two parts stays as it is. */
const domainOf = (base: string): string => new URL(base).hostname.replace(/^[^.]+\.(?=[^.]+\.)/, '');

/** Whether a set-up address may be stored, mailed and linked: the provider's own, over https, or http on loopback. */
function isSetUpLink(address: string, hosts: string[]): boolean {
  try {
    const { protocol, hostname, username, password } = new URL(address);
    const isSecure = protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(hostname));
    const isTheirs = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
    return isSecure && isTheirs && username === '' && password === '';
  } catch {
    return false;
  }
}

type Options = {
  boardingBase: string;
  linkHosts: string[];
  accessKey: string;
  hierarchyNodeKey: string;
  mccCode: string;
  timeoutMs: number;
};

/** Ask the provider to take a business on; its owner fills the rest in on the provider's own set-up page. */
export async function createApplication(
  { boardingBase, linkHosts, accessKey, hierarchyNodeKey, mccCode, timeoutMs }: Options,
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
    const created = Created.safeParse(parseJson(reply.text));
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
