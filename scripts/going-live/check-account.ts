import { spawnSync } from 'node:child_process';
import { entryOf, QUIET } from '../local/processes.ts';
import type { Parts } from './environment-file.ts';
import { CLOUDFLARE, type Finding, missing, needsAccount, notChecked, ok, wrong } from './finding.ts';

const WAIT_MS = 60_000;

/** The environment's resources at Cloudflare: the names of its parts, and the configuration that contains them. */
export type AccountPlace = { parts: Parts; config: string; names: string[]; migrations: string[] };

/** Checks the Cloudflare account through wrangler. It changes nothing. `names`: the names of the secrets. */
export function checkAccount(place: AccountPlace, wrangler: Wrangler = runWrangler): Finding[] {
  const { parts, config, names } = place;
  // Without --json, wrangler exits with 0 even when no one is logged in.
  if (!wrangler('whoami', '--json').isOk) {
    return [needsAccount('Cloudflare account', CLOUDFLARE, 'npx wrangler login, or set CLOUDFLARE_API_TOKEN (step 1)')];
  }
  const secrets = wrangler('secret', 'list', '--format', 'json', '-c', config);
  return [
    ok('Cloudflare account'),
    databaseFinding(place, wrangler),
    ...Object.values(parts.buckets).map((bucket) =>
      wrangler('r2', 'bucket', 'info', bucket).isOk
        ? ok(`bucket ${bucket}`)
        : missing(`bucket ${bucket}`, `run npx wrangler r2 bucket create ${bucket} (step 2)`),
    ),
    ...secretFindings(secrets, names),
  ];
}

const APPLIED = 'SELECT name FROM d1_migrations';

function databaseFinding({ config, migrations }: AccountPlace, wrangler: Wrangler): Finding {
  const query = wrangler('d1', 'execute', 'INSTALLATION', '--json', '--command', APPLIED, '--remote', '-c', config);
  if (!query.isOk && /no such table/i.test(query.text)) return wrong('database', 'is empty; npm run deploy fills it');
  if (!query.isOk) return wrong('database', 'is not reachable with database.id (step 2)');
  const pending = migrations.filter((name) => !query.text.includes(`"${name}"`));
  return pending.length === 0
    ? ok('database')
    : wrong('database', `has ${pending.length} migrations to apply; npm run deploy applies them`);
}

function secretFindings({ isOk, text }: CommandResult, names: string[]): Finding[] {
  if (!isOk) return [missing('secrets', 'the Worker does not exist yet; npm run deploy creates it (step 5)')];
  let existing: string[];
  try {
    existing = (JSON.parse(text.slice(text.indexOf('['))) as { name: string }[]).map(({ name }) => name);
  } catch {
    return [notChecked('secrets', 'wrangler did not answer with a list')];
  }
  const absent = names.filter((name) => !existing.includes(name));
  return absent.length === 0
    ? [ok('secrets')]
    : [missing('secrets', `${absent.join(', ')}; npm run deploy uploads them`)];
}

type CommandResult = { isOk: boolean; text: string };
type Wrangler = (...args: string[]) => CommandResult;

function runWrangler(...args: string[]): CommandResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...entryOf('wrangler'), ...args], {
    encoding: 'utf8',
    timeout: WAIT_MS,
    env: { ...process.env, ...QUIET },
  });
  return { isOk: status === 0, text: `${stdout ?? ''}${status === 0 ? '' : stderr}` };
}
