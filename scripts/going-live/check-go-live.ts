import { type Finding, missing, notChecked, ok, wrong } from './finding.ts';
import type { Environment } from './read-environment.ts';

export const VENDORS = ['hubspot', 'gateway', 'mail', 'cloudflare'] as const;
export type Vendor = (typeof VENDORS)[number];

/** The transcripts in docs/probes/, and the deployed commits. */
export type Seen = {
  /** Day of the newest transcript of each vendor. */
  probes: Partial<Record<Vendor, string>>;
  today: string;
  /** Commit deployed in staging; empty if staging does not respond. */
  stagingCommit: string;
  commit: string;
};

/** An older transcript is no longer evidence of the vendor's current behaviour. */
const PROBE_DAYS = 90;
const SECRETS = ['TOKEN_KEYS', 'SESSION_KEYS', 'CAPABILITY_KEYS', 'BUILD_SECRET', 'OPERATOR_SECRET', 'MONITOR_SECRET'];
const ADDRESSES = ['BOARDING_WEBHOOK_SECRET', 'TRANSACTION_WEBHOOK_SECRET', 'MAIL_WEBHOOK_SECRET'];
const VENDOR_KEYS = ['HUBSPOT_CLIENT_ID', 'HUBSPOT_CLIENT_SECRET', 'BOARDING_ACCESS_KEY', 'MAIL_API_KEY'];
const TOLD = ['ALERT_MAIL_TO', 'ALERT_WEBHOOK_URL', 'HEARTBEAT_URL', 'HEALTH_SECRET', 'MONITOR_SECRET'] as const;

/** Checks the steps from the provider's sandbox to real cards, in the order of docs/deploy.md. */
export function checkGoLive(production: Environment, staging: Environment | null, seen: Seen): Finding[] {
  const { settings, vars } = production;
  if (!settings) return [];
  const silent = TOLD.filter((name) => settings[name] === '');
  return [
    triedInStaging(seen),
    apart('keys of its own', [...SECRETS, ...ADDRESSES], vars, staging),
    apart('vendor accounts of its own', VENDOR_KEYS, vars, staging),
    partsApart(production, staging),
    settings.OWNERS_NEED_PASSKEY
      ? ok('passkeys of owners')
      : wrong('passkeys of owners', 'OWNERS_NEED_PASSKEY must be true where money is real'),
    silent.length === 0 ? ok('somebody is told') : missing('somebody is told', `set ${silent.join(', ')} (step 9)`),
    ...VENDORS.map((vendor) => probeFinding(vendor, seen)),
  ];
}

function triedInStaging({ stagingCommit, commit }: Seen): Finding {
  const what = 'the same commit in staging';
  if (stagingCommit === '') return missing(what, 'staging does not answer; npm run deploy -- --to staging');
  return stagingCommit === commit ? ok(what) : wrong(what, `staging answers with ${stagingCommit.slice(0, 8)}`);
}

/** Refuses values shared with staging: more people know its secrets, so they must not work in production. */
function apart(what: string, names: string[], vars: Record<string, string>, staging: Environment | null): Finding {
  if (!staging) return notChecked(what, 'there is no staging.json to compare with');
  const same = names.filter((name) => vars[name] !== undefined && vars[name] === staging.vars[name]);
  return same.length === 0 ? ok(what) : wrong(what, `${same.join(', ')} are those of staging`);
}

function partsApart({ file, vars }: Environment, staging: Environment | null): Finding {
  const what = 'database, buckets and domain of its own';
  if (!staging?.file || !file) return notChecked(what, 'there is no complete staging.json to compare with');
  const namesOf = (one: NonNullable<Environment['file']>) => [
    one.worker,
    one.database.name,
    one.database.id,
    ...Object.values(one.buckets),
  ];
  const theirs = namesOf(staging.file);
  const same = namesOf(file).filter((name) => theirs.includes(name));
  if (vars.APP_URL === staging.vars.APP_URL) same.push('APP_URL');
  return same.length === 0 ? ok(what) : wrong(what, `${same.join(', ')} are those of staging`);
}

function probeFinding(vendor: Vendor, { probes, today }: Seen): Finding {
  const what = `probe of ${vendor}`;
  const day = probes[vendor];
  const how = `npm run probe -- ${vendor} --to staging, and put what it prints into docs/probes/${vendor}-<day>.md`;
  if (!day) return missing(what, how);
  const age = (Date.parse(today) - Date.parse(day)) / 86_400_000;
  return age <= PROBE_DAYS ? ok(what, day) : wrong(what, `is ${Math.floor(age)} days old: ${how}`);
}
