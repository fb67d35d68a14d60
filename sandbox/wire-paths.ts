/** The simulated party of a path; faults and the request log use it. */
export type Party = 'crm' | 'gateway' | 'mail';

const CRM = /^\/(?:crm|account-info|appinstalls)\/|^\/oauth\/(?:v1|v3|20\d\d-\d\d)\//;
const GATEWAY = /^\/rest\/v[12]\/|^\/api\/launchIntegratorSetup\//;

export function partyOf(path: string): Party | null {
  if (CRM.test(path)) return 'crm';
  if (GATEWAY.test(path)) return 'gateway';
  if (/^\/(?:emails(?:\/|$)|webhooks$)/.test(path)) return 'mail';
  return null;
}

export const isWireApi = (path: string) => partyOf(path) !== null;

/** Only these are called by the payer's browser; the product's server calls the rest of the gateway. */
export const isBrowserToken = (path: string) => path.startsWith('/rest/v2/mobilejwt');
export const isTerminalCall = (path: string) => path.startsWith('/rest/v2/terminal/');
