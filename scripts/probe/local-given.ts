import { crmApp, hubs, terminals } from '#sandbox/credentials';
import type { Settings } from '#worker/env';
import type { Vendor } from '../going-live/check-road.ts';
import { at, talkTo } from './talk.ts';

/** What a person takes from the vendors' portals, out of the simulated world: the second clinic, whose CRM takes payments. */
export async function localGiven(vendor: Vendor, settings: Settings): Promise<Record<string, string>> {
  const [first, hub, third] = hubs;
  if (vendor === 'gateway') {
    const terminal = terminals.find(({ channel }) => channel === 'ecommerce');
    return {
      PROBE_GATEWAY_KEY: terminal?.apiKey ?? '',
      PROBE_GATEWAY_PUBLIC_KEY: terminal?.publicKey ?? '',
      PROBE_BOARDING_EMAIL: 'probe@clinic.example',
    };
  }
  if (vendor !== 'hubspot') return {};
  const crm = talkTo({ base: settings.HUBSPOT_API_BASE, headers: {}, given: {} });
  const client = { client_id: crmApp.clientId, client_secret: crmApp.clientSecret };
  const accessTo = async (refresh_token: string) => {
    const form = { grant_type: 'refresh_token', refresh_token, ...client };
    return at((await crm.ask('POST', '/oauth/2026-09/token', { form })).json, 'access_token');
  };
  const bill = await crm.ask('POST', `/_sandbox/hubs/${hub.hubId}/invoices`, { body: { amount: '60.00' } });
  return {
    PROBE_HUBSPOT_TOKEN: await accessTo(hub.writerRefreshToken),
    PROBE_HUBSPOT_OTHER_TOKEN: await accessTo(first.refreshToken),
    PROBE_HUBSPOT_REFRESH_TOKEN: hub.writerRefreshToken,
    // The next start of the sandbox makes it good again.
    PROBE_HUBSPOT_SPARE_REFRESH_TOKEN: third.writerRefreshToken,
    PROBE_HUBSPOT_INVOICE: at(bill.json, 'ids', 0),
  };
}
