import { existsSync, readFileSync } from 'node:fs';
import type * as z from 'zod/mini';
import { providerHosts } from '#shared/partners';
import { readEnv, type Settings } from '#worker/env';
import { parseJson } from '#worker/vendors/http';
import { EnvironmentFile, exampleOf, fileOf, OperatorWords, PublicFile, type RemoteName } from './environment-file.ts';
import { emptySetting, type Finding, missing, ok, wrong } from './finding.ts';

/**
 * True if an address is at one of the card provider's hosts of this environment. HubSpot and the mail service have one
 * host for both.
 */
export const isHostOf = (name: RemoteName, address: string): boolean =>
  URL.canParse(address) && providerHosts[name].includes(new URL(address).hostname);

const ADDRESSES = ['GATEWAY_BASE_URL', 'BOARDING_BASE_URL', 'REPORTING_BASE_URL'] as const;

/** Real cards are charged only in production, so neither environment may use hosts of the other. */
export function hostFindings(name: RemoteName, settings: Settings): Finding[] {
  const otherName = name === 'staging' ? 'production' : 'staging';
  const addresses = ADDRESSES.flatMap((setting) => {
    const value = settings[setting];
    if (value === '') return [];
    return isHostOf(otherName, value)
      ? [wrong(setting, `is a host of ${otherName}; ${name} must not reach it`)]
      : [ok(setting)];
  });
  return [...addresses, sandboxFinding(name, settings)];
}

function sandboxFinding(name: RemoteName, { GATEWAY_SANDBOX }: Settings): Finding {
  const isSandbox = name === 'staging';
  return GATEWAY_SANDBOX === isSandbox
    ? ok('GATEWAY_SANDBOX')
    : wrong('GATEWAY_SANDBOX', `must be ${isSandbox} in ${name}`);
}

export type Environment = {
  name: RemoteName;
  /** Names and operator's words; null where the file is missing or malformed. */
  file: PublicFile | null;
  /** The operator's words, even if other parts of the file are missing. */
  words: OperatorWords | null;
  /** The Worker's settings as they are uploaded. */
  vars: Record<string, string>;
  settings: Settings | null;
  findings: Finding[];
};

/** An environment from the one file that holds its secrets. Never prints a value. */
export function readEnvironment(name: RemoteName, path: string = fileOf(name)): Environment {
  const emptyEnvironment = { name, file: null, words: null, vars: {}, settings: null };
  if (!existsSync(path)) {
    return { ...emptyEnvironment, findings: [missing(path, `copy ${exampleOf(name)} and fill it in (step 3)`)] };
  }
  const parsed = parseJson(readFileSync(path, 'utf8'));
  if (parsed === undefined) return { ...emptyEnvironment, findings: [wrong(path, 'is not JSON')] };
  const whole = EnvironmentFile.safeParse(parsed);
  const shape = whole.success ? [] : shapeFindings(whole.error.issues).map(reportEmptyId(parsed));
  const vars = settingsIn(parsed);
  const file = whole.success ? PublicFile.parse(whole.data) : null;
  const words = OperatorWords.safeParse((Object(parsed) as { operator?: unknown }).operator).data ?? null;
  try {
    const settings = readEnv(vars);
    const placed = [ok(path, `${Object.keys(vars).length} settings`), ...placeFindings(settings)];
    return { name, file, words, vars, settings, findings: [...placed, ...hostFindings(name, settings), ...shape] };
  } catch (cause) {
    const lines = cause instanceof Error ? cause.message.split('\n') : [String(cause)];
    return { name, file, words, vars, settings: null, findings: [...lines.map(toFinding), ...shape] };
  }
}

/** An empty value counts as missing, and secrets are text. */
function settingsIn(parsed: unknown): Record<string, string> {
  const { settings } = (parsed ?? {}) as { settings?: unknown };
  if (typeof settings !== 'object' || settings === null) return {};
  const entries = Object.entries(settings).filter(([name, value]) => !name.startsWith('//') && value !== '');
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** Findings such as `database.id must …`, never with the value. */
export const shapeFindings = (issues: readonly z.core.$ZodIssue[]): Finding[] =>
  issues.map(({ path, message }) => wrong(path.join('.') || 'the file', message));

/** The example has an empty database id, which counts as missing, not as wrong. */
const reportEmptyId =
  (parsed: unknown) =>
  (finding: Finding): Finding => {
    const { database } = Object(parsed) as { database?: { id?: unknown } };
    return finding.label === 'database.id' && database?.id === '' ? emptySetting('database.id') : finding;
  };

/** Parses `setting NAME is missing` or `setting NAME must …`. */
function toFinding(line: string): Finding {
  const [, name = 'settings', detail = line] = /^setting (\w+) (.*)$/.exec(line) ?? [];
  return detail === 'is missing' ? emptySetting(name) : wrong(name, detail);
}

/** True for a public https address other than the example's. */
export const isOwnAddress = (address: string): boolean =>
  URL.canParse(address) &&
  address.startsWith('https:') &&
  !/localhost|example\.(?:com|org|net)$/.test(new URL(address).hostname);

function placeFindings({ APP_URL, DEPLOY_HOOK_URL }: Settings): Finding[] {
  return [
    isOwnAddress(APP_URL) ? ok('APP_URL') : wrong('APP_URL', 'is not an address of your own on the internet'),
    DEPLOY_HOOK_URL ? ok('DEPLOY_HOOK_URL') : emptySetting('DEPLOY_HOOK_URL'),
  ];
}
