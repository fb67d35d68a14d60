import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Settings } from '#worker/env';
import { SCOPES } from '#worker/vendors/hubspot/oauth';
import { type Finding, missing, ok, wrong } from './finding.ts';

const AppFile = z.object({
  config: z.object({
    distribution: z.string(),
    auth: z.object({
      requiredScopes: z.array(z.string()),
      optionalScopes: z._default(z.array(z.string()), []),
    }),
  }),
});
const APP_FILE = 'hubspot/src/app/app-hsmeta.json';
const PROJECT_FILE = 'hubspot/hsproject.json';
/** HubSpot supports a version of its platform for 18 months. */
const SUPPORTED_MONTHS = 18;

/** Checks that need only the files of this folder. */
export function checkTree(
  settings: Settings | null,
  read = (file: string) => readFileSync(file, 'utf8'),
  now = Date.now(),
): Finding[] {
  return [
    crons(read('wrangler.toml')),
    logs(read('wrangler.toml')),
    ...appFile(read(APP_FILE), settings),
    platform(read(PROJECT_FILE), now),
  ];
}

function crons(toml: string): Finding {
  return /^crons = \[\s*"[^"]+"/m.test(toml)
    ? ok('schedule in wrangler.toml')
    : missing('schedule in wrangler.toml', 'it settles open payments and sends mails: set crons = ["* * * * *"]');
}

const LOG_SETTINGS: [section: string, key: string, value: string][] = [
  ['observability', 'redact_query_string', 'true'],
  ['observability.logs', 'invocation_logs', 'false'],
  ['observability.traces', 'enabled', 'false'],
];

/** The platform must not log request addresses, because they hold pay ids, receipts, tokens and secrets. */
function logs(toml: string): Finding {
  const absent = LOG_SETTINGS.filter(([section, key, value]) => valueIn(toml, section, key) !== value);
  const label = 'logs in wrangler.toml';
  const lines = absent.map(([section, key, value]) => `${key} = ${value} under [${section}]`);
  return absent.length === 0
    ? ok(label)
    : missing(label, `the platform would log addresses that open payments and sessions: set ${lines.join(', ')}`);
}

/** A value as written; undefined if the section does not contain it on its own line. */
function valueIn(toml: string, section: string, key: string): string | undefined {
  let current = '';
  for (const line of toml.split('\n')) {
    current = /^\s*\[+([^\]]+)\]/.exec(line)?.[1]?.trim() ?? current;
    const [, name, value] = /^\s*([\w-]+)\s*=\s*([^\s#]+)/.exec(line) ?? [];
    if (current === section && name === key) return value;
  }
  return undefined;
}

const Built = z.object({
  observability: z.object({
    redact_query_string: z.literal(true),
    logs: z.object({ invocation_logs: z.literal(false) }),
    traces: z.object({ enabled: z.literal(false) }),
  }),
});

/** True if the configuration that the build writes for the upload still keeps addresses out of logs. */
export const keepsAddressesOut = (config: string): boolean => Built.safeParse(JSON.parse(config)).success;

function appFile(text: string, settings: Settings | null): Finding[] {
  const parsed = AppFile.safeParse(JSON.parse(text));
  if (!parsed.success) return [wrong(APP_FILE, 'does not describe an app with OAuth')];
  const { distribution } = parsed.data.config;
  const { requiredScopes, optionalScopes } = parsed.data.config.auth;
  const absent = SCOPES.filter((scope) => !requiredScopes.includes(scope));
  const optionalScopeList = (settings?.HUBSPOT_OPTIONAL_SCOPES ?? '').split(' ').filter(Boolean);
  const undeclared = optionalScopeList.filter((scope) => !optionalScopes.includes(scope));
  const pair = `HUBSPOT_OPTIONAL_SCOPES and optionalScopes in ${APP_FILE}`;
  return [
    absent.length > 0 ? wrong(`scopes in ${APP_FILE}`, `lacks ${absent.join(', ')}`) : ok(`scopes in ${APP_FILE}`),
    // A scope that the app lacks fails the authorisation for every user, so the app must be updated first.
    undeclared.length > 0
      ? wrong(pair, `the app lacks ${undeclared.join(', ')}: declare and upload them before you set them`)
      : ok(pair),
    distribution === 'marketplace'
      ? ok(`distribution in ${APP_FILE}`)
      : wrong(`distribution in ${APP_FILE}`, 'must be marketplace: a private app is limited to ten accounts'),
  ];
}

/** `2026.03`: released in that month. */
function platform(text: string, now: number): Finding {
  const label = `platformVersion in ${PROJECT_FILE}`;
  const { platformVersion } = JSON.parse(text) as { platformVersion?: string };
  const [, year, month] = /^(20\d\d)\.(0[1-9]|1[0-2])$/.exec(platformVersion ?? '') ?? [];
  if (!year) return wrong(label, 'must be a dated version such as 2026.03');
  const ends = Date.UTC(Number(year), Number(month) - 1 + SUPPORTED_MONTHS);
  return now < ends
    ? ok(label)
    : wrong(label, 'is no longer supported by HubSpot, whose build would fail: use a newer one');
}
