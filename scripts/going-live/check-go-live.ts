import { type Finding, missing, notChecked, ok, wrong } from './finding.ts';
import type { Environment } from './read-environment.ts';

export const VENDORS = ['hubspot', 'gateway', 'mail', 'cloudflare'] as const;
export type Vendor = (typeof VENDORS)[number];

/** The transcripts in docs/probes/, and the deployed commits. */
export type GoLiveFacts = {
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
const ALERTING = ['ALERT_MAIL_TO', 'ALERT_WEBHOOK_URL', 'HEARTBEAT_URL', 'HEALTH_SECRET', 'MONITOR_SECRET'] as const;

/** Checks the steps from the provider's sandbox to real cards, in the order of docs/deploy.md. */
export function checkGoLive(production: Environment, staging: Environment | null, facts: GoLiveFacts): Finding[] {
  const { settings, vars } = production;
  if (!settings) return [];
  const emptySettings = ALERTING.filter((name) => settings[name] === '');
  return [
    stagingCommitFinding(facts),
    separate('separate keys', [...SECRETS, ...ADDRESSES], vars, staging),
    separate('separate vendor accounts', VENDOR_KEYS, vars, staging),
    separateParts(production, staging),
    settings.OWNERS_NEED_PASSKEY
      ? ok('passkeys of owners')
      : wrong('passkeys of owners', 'OWNERS_NEED_PASSKEY must be true in production'),
    emptySettings.length === 0
      ? ok('alerts are set up')
      : missing('alerts are set up', `set ${emptySettings.join(', ')} (step 9)`),
    ...VENDORS.map((vendor) => probeFinding(vendor, facts)),
  ];
}

function stagingCommitFinding({ stagingCommit, commit }: GoLiveFacts): Finding {
  const label = 'the same commit in staging';
  if (stagingCommit === '') return missing(label, 'staging does not answer; npm run deploy -- --to staging');
  return stagingCommit === commit ? ok(label) : wrong(label, `staging answers with ${stagingCommit.slice(0, 8)}`);
}

/** Refuses values shared with staging: more people know its secrets, so they must not work in production. */
function separate(label: string, names: string[], vars: Record<string, string>, staging: Environment | null): Finding {
  if (!staging) return notChecked(label, 'there is no staging.json to compare with');
  const same = names.filter((name) => vars[name] !== undefined && vars[name] === staging.vars[name]);
  return same.length === 0 ? ok(label) : wrong(label, `${same.join(', ')} are shared with staging`);
}

function separateParts({ file, vars }: Environment, staging: Environment | null): Finding {
  const label = 'separate database, buckets and domain';
  if (!staging?.file || !file) return notChecked(label, 'there is no complete staging.json to compare with');
  const namesOf = (file: NonNullable<Environment['file']>) => [
    file.worker,
    file.database.name,
    file.database.id,
    ...Object.values(file.buckets),
  ];
  const stagingNames = namesOf(staging.file);
  const same = namesOf(file).filter((name) => stagingNames.includes(name));
  if (vars.APP_URL === staging.vars.APP_URL) same.push('APP_URL');
  return same.length === 0 ? ok(label) : wrong(label, `${same.join(', ')} are shared with staging`);
}

function probeFinding(vendor: Vendor, { probes, today }: GoLiveFacts): Finding {
  const label = `probe of ${vendor}`;
  const day = probes[vendor];
  const remedy = `npm run probe -- ${vendor} --to staging, and save its output as docs/probes/${vendor}-<day>.md`;
  if (!day) return missing(label, remedy);
  const age = (Date.parse(today) - Date.parse(day)) / 86_400_000;
  return age <= PROBE_DAYS ? ok(label, day) : wrong(label, `is ${Math.floor(age)} days old: ${remedy}`);
}
