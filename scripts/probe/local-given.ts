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
  const refresh = async (refresh_token: string) => {
    const form = { grant_type: 'refresh_token', refresh_token, ...client };
    const { json } = await crm.ask('POST', '/oauth/2026-09/token', { form });
    return { access: at(json, 'access_token'), refresh: at(json, 'refresh_token') };
  };
  const own = await refresh(hub.writerRefreshToken);
  const bill = await crm.ask('POST', `/_sandbox/hubs/${hub.hubId}/invoices`, { body: { amount: '60.00' } });
  return {
    PROBE_HUBSPOT_TOKEN: own.access,
    PROBE_HUBSPOT_OTHER_TOKEN: (await refresh(first.refreshToken)).access,
    // Where refresh tokens change, the one above is used up.
    PROBE_HUBSPOT_REFRESH_TOKEN: own.refresh,
    // The next start of the sandbox makes it good again.
    PROBE_HUBSPOT_SPARE_REFRESH_TOKEN: third.writerRefreshToken,
    PROBE_HUBSPOT_INVOICE: at(bill.json, 'ids', 0),
  };
}
