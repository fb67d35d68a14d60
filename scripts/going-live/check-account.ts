import { spawnSync } from 'node:child_process';
import { entryOf, QUIET } from '../local/processes.ts';
import { type Finding, missing, notChecked, ok, wrong } from './finding.ts';

const WAIT_MS = 60_000;

/** Checks the Cloudflare account through wrangler. It creates and changes nothing. */
export function checkAccount(names: string[], wrangler: Wrangler = runWrangler): Finding[] {
  // Without --json, wrangler exits with 0 even when no one is logged in.
  if (!wrangler('whoami', '--json').isOk) {
    return [missing('Cloudflare account', 'run npx wrangler login, or set CLOUDFLARE_API_TOKEN (step 1)')];
  }
  const pending = wrangler('d1', 'migrations', 'list', 'INSTALLATION', '--remote', '-c', 'wrangler.toml');
  const secrets = wrangler('secret', 'list', '--format', 'json', '-c', 'wrangler.toml');
  return [
    ok('Cloudflare account'),
    !pending.isOk
      ? wrong('database', 'is not reachable with the id of wrangler.toml (step 2)')
      : /No migrations to apply/i.test(pending.text)
        ? ok('database')
        : wrong('database', 'has migrations to apply; npm run deploy applies them'),
    ...['tillway-media', 'tillway-audit-anchors', 'tillway-backups'].map((bucket) =>
      wrangler('r2', 'bucket', 'info', bucket).isOk
        ? ok(`bucket ${bucket}`)
        : missing(`bucket ${bucket}`, `run npx wrangler r2 bucket create ${bucket} (step 2)`),
    ),
    ...secretFindings(secrets, names),
  ];
}

function secretFindings({ isOk, text }: Said, names: string[]): Finding[] {
  if (!isOk) return [missing('secrets', 'the Worker is not there yet; npm run deploy makes it (step 5)')];
  let there: string[];
  try {
    there = (JSON.parse(text.slice(text.indexOf('['))) as { name: string }[]).map(({ name }) => name);
  } catch {
    return [notChecked('secrets', 'wrangler answered with something else than a list')];
  }
  const lacking = names.filter((name) => !there.includes(name));
  return lacking.length === 0
    ? [ok('secrets')]
    : [missing('secrets', `${lacking.join(', ')}; npm run deploy uploads them`)];
}

type Said = { isOk: boolean; text: string };
type Wrangler = (...args: string[]) => Said;

function runWrangler(...args: string[]): Said {
  const { status, stdout } = spawnSync(process.execPath, [...entryOf('wrangler'), ...args], {
    encoding: 'utf8',
    timeout: WAIT_MS,
    env: { ...process.env, ...QUIET },
  });
  return { isOk: status === 0, text: stdout ?? '' };
}
