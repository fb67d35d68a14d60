import type { Settings } from '#worker/env';
import type { Vendor } from '../going-live/check-road.ts';
import type { Place } from './talk.ts';

/** Where a vendor is asked, and with which key of its test account. Throws an Error that names a missing one. */
export function placeOf(vendor: Vendor, settings: Settings, given: Place['given']): Place {
  const need = (name: string): string => {
    const value = given[name];
    if (!value) throw new Error(`set ${name}: docs/probes/README.md says where it comes from`);
    return value;
  };
  const bearer = (name: string) => ({ authorization: `Bearer ${need(name)}` });
  switch (vendor) {
    case 'hubspot':
      return { base: settings.HUBSPOT_API_BASE, headers: bearer('PROBE_HUBSPOT_TOKEN'), given };
    case 'gateway':
      return { base: settings.GATEWAY_BASE_URL, headers: { 'api-key': need('PROBE_GATEWAY_KEY') }, given };
    case 'mail':
      return { base: settings.MAIL_API_BASE, headers: bearer('MAIL_API_KEY'), given };
    case 'cloudflare':
      return { base: settings.APP_URL, headers: {}, given };
  }
}
