import { readFileSync } from 'node:fs';
import { crmApp, hubs, terminals } from '#sandbox/credentials';
import { readEnv, type Settings } from '#worker/env';
import type { Vendor } from '../going-live/check-go-live.ts';
import {
  type EnvironmentName,
  exampleOf,
  fileOf,
  type Parts,
  type RemoteName,
  sampleFile,
} from '../going-live/environment-file.ts';
import { isHostOf, readEnvironment } from '../going-live/read-environment.ts';
import { readLocal } from '../local/settings.ts';
import { at, type Place, talkTo } from './talk.ts';

/** Values from the sandbox that a person would copy from vendor portals. Uses hub 2, whose CRM accepts payments. */
export async function localInput(vendor: Vendor, settings: Settings): Promise<Record<string, string>> {
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
  const crm = talkTo({ base: settings.HUBSPOT_API_BASE, headers: {}, input: {} });
  const client = { client_id: crmApp.clientId, client_secret: crmApp.clientSecret };
  const refresh = async (refresh_token: string) => {
    const form = { grant_type: 'refresh_token', refresh_token, ...client };
    const { json } = await crm.ask('POST', '/oauth/2026-09/token', { form });
    return { access: at(json, 'access_token'), refresh: at(json, 'refresh_token') };
  };
  const tokens = await refresh(hub.writerRefreshToken);
  const bill = await crm.ask('POST', `/_sandbox/hubs/${hub.hubId}/invoices`, { body: { amount: '60.00' } });
  return {
    PROBE_HUBSPOT_TOKEN: tokens.access,
    PROBE_HUBSPOT_OTHER_TOKEN: (await refresh(first.refreshToken)).access,
    // If refresh tokens rotate, the first one is already used.
    PROBE_HUBSPOT_REFRESH_TOKEN: tokens.refresh,
    // The probe revokes it; the next start of the sandbox makes it valid again.
    PROBE_HUBSPOT_SPARE_REFRESH_TOKEN: third.writerRefreshToken,
    PROBE_HUBSPOT_INVOICE: at(bill.json, 'ids', 0),
  };
}

export type ProbeInput = { values: Place['input']; parts: Parts };

/**
 * The input of a probe. A vendor account and its key are enough: the example contains the vendors' addresses, the
 * environment's file adds its values, and shell variables override both.
 */
export async function inputFor(name: EnvironmentName, vendor: Vendor, env: NodeJS.ProcessEnv): Promise<ProbeInput> {
  if (name !== 'local') {
    const { file, vars, findings } = readEnvironment(name);
    const broken = findings.find(({ label, detail }) => label === fileOf(name) && detail === 'is not JSON');
    if (broken) throw new Error(`${broken.label} ${broken.detail}`);
    return { values: { ...publicHosts(name), ...vars, ...env }, parts: file ?? sampleFile };
  }
  const { vars } = readLocal(env);
  const settings = readEnv(vars);
  await requireRunning(vendor === 'cloudflare' ? settings.APP_URL : settings.HUBSPOT_API_BASE);
  return { values: { ...vars, ...env, ...(await localInput(vendor, settings)) }, parts: sampleFile };
}

const isAddress = (setting: string) => /_BASE(_URL)?$/.test(setting);

/** The vendors' addresses, which are public and the same for all customers. */
function publicHosts(name: RemoteName): Record<string, string> {
  const { settings } = JSON.parse(readFileSync(exampleOf(name), 'utf8')) as { settings: Record<string, string> };
  return Object.fromEntries(Object.entries(settings).filter(([setting]) => isAddress(setting)));
}

async function requireRunning(url: string): Promise<void> {
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) }).catch(() => null);
  if (!answer) throw new Error(`nothing answers at ${url}: run npm start in another window first`);
  await answer.body?.cancel();
}

/** HubSpot's types of test accounts; a business has a STANDARD account. */
const TEST_ACCOUNTS = ['DEVELOPER_TEST', 'SANDBOX', 'APP_DEVELOPER'];

/** Throws an Error if `--write` would reach an account with real money or real clinics. */
export async function requireTestAccount(name: EnvironmentName, vendor: Vendor, place: Place): Promise<void> {
  if (name === 'production') throw new Error('--write is for test accounts: --to staging or local');
  // A question may write to more addresses than the vendor's main one: boarding has its own.
  for (const [setting, address = ''] of Object.entries(place.input))
    if (isAddress(setting) && isHostOf('production', address))
      throw new Error(
        `--write is for test accounts, and ${setting} is ${address}, a production address of the card provider`,
      );
  if (name === 'local' || vendor !== 'hubspot') return;
  const { status, json } = await talkTo(place).ask('GET', '/account-info/2026-09/details');
  const type = at(json, 'accountType');
  if (status === 200 && TEST_ACCOUNTS.includes(type)) return;
  const reply =
    status !== 200
      ? `answers ${status} when asked for its type`
      : type === ''
        ? 'reports no type'
        : `reports the type ${type}`;
  throw new Error(`--write is for test accounts of HubSpot (${TEST_ACCOUNTS.join(', ')}), and this one ${reply}`);
}
