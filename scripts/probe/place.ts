import type { Vendor } from '../going-live/check-road.ts';
import type { Place } from './talk.ts';

/** Where a vendor is asked, and with which key of its test account. Throws an Error that names a missing one. */
export function placeOf(vendor: Vendor, given: Place['given']): Place {
  const need = (name: string): string => {
    const value = given[name];
    if (!value) throw new Error(`set ${name}: docs/probes/README.md says where it comes from`);
    return value;
  };
  const base = (name: string) => need(name).replace(/\/+$/, '');
  const bearer = (name: string) => ({ authorization: `Bearer ${need(name)}` });
  switch (vendor) {
    case 'hubspot':
      return { base: base('HUBSPOT_API_BASE'), headers: bearer('PROBE_HUBSPOT_TOKEN'), given };
    case 'gateway':
      return { base: base('GATEWAY_BASE_URL'), headers: { 'api-key': need('PROBE_GATEWAY_KEY') }, given };
    case 'mail':
      return { base: base('MAIL_API_BASE'), headers: bearer('MAIL_API_KEY'), given };
    case 'cloudflare':
      // A migration is tried without an installation; what asks one names APP_URL where it is missing.
      return { base: (given.APP_URL ?? '').replace(/\/+$/, ''), headers: {}, given };
  }
}
