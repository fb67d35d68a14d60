import { crmApp, hubs, terminals } from '#sandbox/credentials';
import type { Settings } from '#worker/env';
import type { Vendor } from '../going-live/check-road.ts';
import { at, talkTo } from './talk.ts';

/** What a person takes from the vendors' portals, out of the simulated world: the second clinic, whose CRM takes payments. */
export async function localGiven(vendor: Vendor, settings: Settings): Promise<Record<string, string>> {
  const [, hub] = hubs;
  if (vendor === 'gateway') {
    const terminal = terminals.find(({ channel }) => channel === 'ecommerce');
    return { PROBE_GATEWAY_KEY: terminal?.apiKey ?? '', PROBE_GATEWAY_PUBLIC_KEY: terminal?.publicKey ?? '' };
  }
  if (vendor !== 'hubspot') return {};
  const crm = talkTo({ base: settings.HUBSPOT_API_BASE, headers: {}, given: {} });
  const form = { grant_type: 'refresh_token', refresh_token: hub.writerRefreshToken };
  const client = { client_id: crmApp.clientId, client_secret: crmApp.clientSecret };
  const token = await crm.ask('POST', '/oauth/2026-09/token', { form: { ...form, ...client } });
  const bill = await crm.ask('POST', `/_sandbox/hubs/${hub.hubId}/invoices`, { body: { amount: '60.00' } });
  return { PROBE_HUBSPOT_TOKEN: at(token.json, 'access_token'), PROBE_HUBSPOT_INVOICE: at(bill.json, 'ids', 0) };
}
