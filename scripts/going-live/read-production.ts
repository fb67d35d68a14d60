import { existsSync, readFileSync } from 'node:fs';
import { readEnv, type Settings } from '#worker/env';
import { type Finding, missing, ok, wrong } from './finding.ts';

export const PRODUCTION_FILE = 'production.json';

export type Production = { vars: Record<string, string>; settings: Settings | null; findings: Finding[] };

/** The settings of the installation, from the one file that holds its secrets. Never prints a value. */
export function readProduction(file = PRODUCTION_FILE): Production {
  if (!existsSync(file)) {
    return { vars: {}, settings: null, findings: [missing(file, 'copy docs/production.example.json and fill it in')] };
  }
  let vars: Record<string, unknown>;
  try {
    vars = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch {
    return { vars: {}, settings: null, findings: [wrong(file, 'is not JSON')] };
  }
  // An empty value counts as missing, and secrets are text.
  const known = Object.fromEntries(
    Object.entries(vars)
      .filter(([name, value]) => !name.startsWith('//') && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );
  try {
    const settings = readEnv(known);
    return {
      vars: known,
      settings,
      findings: [ok(file, `${Object.keys(known).length} settings`), ...placeFindings(settings)],
    };
  } catch (cause) {
    const lines = cause instanceof Error ? cause.message.split('\n') : [String(cause)];
    return { vars: known, settings: null, findings: lines.map((line) => toFinding(line)) };
  }
}

/** `setting NAME is missing` or `setting NAME must …`. */
function toFinding(line: string): Finding {
  const [, name = 'settings', say = line] = /^setting (\w+) (.*)$/.exec(line) ?? [];
  return say === 'is missing' ? missing(name, 'has no value') : wrong(name, say);
}

function placeFindings({ APP_URL, DEPLOY_HOOK_URL }: Settings): Finding[] {
  const isPublic =
    APP_URL.startsWith('https:') && !/localhost|example\.(?:com|org|net)$/.test(new URL(APP_URL).hostname);
  return [
    isPublic ? ok('APP_URL') : wrong('APP_URL', 'is not an address of your own on the internet'),
    DEPLOY_HOOK_URL
      ? ok('DEPLOY_HOOK_URL')
      : missing('DEPLOY_HOOK_URL', 'nothing builds the site after a publication; make a deploy hook (step 6)'),
  ];
}
