import { readFileSync } from 'node:fs';
import { readEnv } from '#worker/env';
import { isHostOf } from '../going-live/check-hosts.ts';
import type { Vendor } from '../going-live/check-road.ts';
import type { Parts } from '../going-live/environment-file.ts';
import { type EnvironmentName, exampleOf, fileOf, type RemoteName } from '../going-live/environment-name.ts';
import { readEnvironment } from '../going-live/read-environment.ts';
import { sampleFile } from '../going-live/sample-file.ts';
import { readLocal } from '../local/settings.ts';
import { localGiven } from './local-given.ts';
import { at, type Place, talkTo } from './talk.ts';

export type Given = { values: Place['given']; parts: Parts };

/**
 * What a probe has to go by. An account of a vendor and its key are enough: the vendors' addresses stand in the example,
 * the environment's file adds what it has, and a variable of the shell wins over both.
 */
export async function givenFor(name: EnvironmentName, vendor: Vendor, env: NodeJS.ProcessEnv): Promise<Given> {
  if (name !== 'local') {
    const { file, vars, findings } = readEnvironment(name);
    const broken = findings.find(({ what, say }) => what === fileOf(name) && say === 'is not JSON');
    if (broken) throw new Error(`${broken.what} ${broken.say}`);
    return { values: { ...publicHosts(name), ...vars, ...env }, parts: file ?? sampleFile };
  }
  const { vars } = readLocal(env);
  const settings = readEnv(vars);
  await mustRun(vendor === 'cloudflare' ? settings.APP_URL : settings.HUBSPOT_API_BASE);
  return { values: { ...vars, ...env, ...(await localGiven(vendor, settings)) }, parts: sampleFile };
}

const isAddress = (setting: string) => /_BASE(_URL)?$/.test(setting);

/** The vendors' addresses, which are the same for everybody and no secret. */
function publicHosts(name: RemoteName): Record<string, string> {
  const { settings } = JSON.parse(readFileSync(exampleOf(name), 'utf8')) as { settings: Record<string, string> };
  return Object.fromEntries(Object.entries(settings).filter(([setting]) => isAddress(setting)));
}

async function mustRun(url: string): Promise<void> {
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) }).catch(() => null);
  if (!answer) throw new Error(`nothing answers at ${url}: run npm start in another window first`);
  await answer.body?.cancel();
}

/** What HubSpot calls accounts that no business works in; STANDARD is that of a business. */
const TEST_ACCOUNTS = ['DEVELOPER_TEST', 'SANDBOX', 'APP_DEVELOPER'];

/** Throws an Error where `--write` would reach an account that real money or real clinics are in. */
export async function mustBeATestAccount(name: EnvironmentName, vendor: Vendor, place: Place): Promise<void> {
  if (name === 'production') throw new Error('--write is for test accounts: --to staging or local');
  // A question may write to another address than the vendor's first, as boarding is one of its own.
  for (const [setting, address = ''] of Object.entries(place.given))
    if (isAddress(setting) && isHostOf('production', address))
      throw new Error(
        `--write is for test accounts, and ${setting} is ${address}, where the card provider works in earnest`,
      );
  if (name === 'local' || vendor !== 'hubspot') return;
  const { status, json } = await talkTo(place).ask('GET', '/account-info/2026-09/details');
  const type = at(json, 'accountType');
  if (status === 200 && TEST_ACCOUNTS.includes(type)) return;
  const says =
    status !== 200
      ? `answers ${status} when asked what it is`
      : type === ''
        ? 'does not say what it is'
        : `says that it is ${type}`;
  throw new Error(`--write is for test accounts of HubSpot (${TEST_ACCOUNTS.join(', ')}), and this one ${says}`);
}
