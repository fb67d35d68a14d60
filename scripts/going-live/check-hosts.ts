import type { Settings } from '#worker/env';
import type { RemoteName } from './environment-name.ts';
import { type Finding, ok, wrong } from './finding.ts';

/** The card provider's hosts of either world. HubSpot and the mail service have one host for both. */
const HOSTS: Record<RemoteName, string[]> = {
  staging: ['gateway-sb.clearent.net', 'boarding-sb.clearent.net'],
  production: ['gateway.clearent.net', 'boarding.clearent.net', 'reporting.clearent.net'],
};

/** Whether an address is one of the card provider's in this world. */
export const isHostOf = (name: RemoteName, address: string): boolean =>
  URL.canParse(address) && HOSTS[name].includes(new URL(address).hostname);

const ADDRESSES = ['GATEWAY_BASE_URL', 'BOARDING_BASE_URL', 'REPORTING_BASE_URL'] as const;

/** Real cards are charged in production and nowhere else, so no environment may have hosts of the other. */
export function hostFindings(name: RemoteName, settings: Settings): Finding[] {
  const other = name === 'staging' ? 'production' : 'staging';
  const addresses = ADDRESSES.flatMap((setting) => {
    const value = settings[setting];
    if (value === '') return [];
    return isHostOf(other, value)
      ? [wrong(setting, `is a host of ${other}; ${name} must not reach it`)]
      : [ok(setting)];
  });
  return [...addresses, sandboxFinding(name, settings)];
}

function sandboxFinding(name: RemoteName, { GATEWAY_SANDBOX }: Settings): Finding {
  const isSandbox = name === 'staging';
  return GATEWAY_SANDBOX === isSandbox
    ? ok('GATEWAY_SANDBOX')
    : wrong('GATEWAY_SANDBOX', `must be ${isSandbox} in ${name}`);
}
