import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { emailOf, erasePerson, showPerson } from '#worker/domain/retention/person';
import { readProduction } from './going-live/read-production.ts';
import { migrate } from './local/migrate.ts';
import { patientDatabase } from './local/patient-database.ts';
import { QUIET } from './local/processes.ts';
import { readLocal } from './local/settings.ts';
import { erasedText, shownText } from './privacy/report.ts';

/**
 * `npm run privacy -- --email <address>` shows what is stored about a person; with `--erase` it erases what may be
 * erased and says what stays and why. It looks at the local product (`TILLWAY_STATE`), with `--remote` at the
 * installation of production.json.
 */
const WORK = path.resolve('.wrangler/privacy');
const ELSEWHERE = `Not here: the clinics have databases of their own, at which this does not look. The CRM, the card provider and the mail service keep what they received by their own rules. Cloudflare can
bring back any minute of the last 30 days; after a restore, run this again.`;

try {
  await main();
} catch (cause) {
  console.error(`privacy: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { email = '', erase, remote } = wanted();
  if (!/^[^\s@]+@[^\s@]+$/.test(emailOf(email))) throw new Error('give the address of a person: --email name@domain');
  const { deps, close } = remote ? await openRemote() : await openLocal();
  try {
    const where = remote ? deps.settings.APP_URL : 'the local product';
    if (erase) {
      const erased = await erasePerson(deps, email);
      const n = erased.reduce((sum, one) => sum + one.erased, 0);
      console.log(erased.length > 0 ? erasedText(erased) : `Nothing is stored about ${email} at ${where}.`);
      console.log(`\n${n} erased at ${where}. ${ELSEWHERE}`);
    } else {
      const holdings = await showPerson(deps, email);
      const n = holdings.reduce((sum, { erasable }) => sum + erasable, 0);
      console.log(holdings.length > 0 ? shownText(holdings) : `Nothing is stored about ${email} at ${where}.`);
      console.log(`\n${n > 0 ? `With --erase, ${n} would be erased at ${where}. ` : ''}${ELSEWHERE}`);
    }
  } finally {
    await close();
  }
}

function wanted() {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      erase: { type: 'boolean', default: false },
      local: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
    },
  });
  if (values.local && values.remote) throw new Error('either --local or --remote');
  return values;
}

type Opened = { deps: Deps; close: () => Promise<void> };

async function openLocal(): Promise<Opened> {
  const local = readLocal(process.env);
  const say = (what: string) => console.error(`privacy: ${what}`);
  await migrate(local.state, say);
  const options = { persist: { path: path.join(local.state, 'v3') }, remoteBindings: false };
  return open(configOf(withoutWorker), local.vars, options, say);
}

/** The same through wrangler's own connection to the database and the bucket of the installation. */
async function openRemote(): Promise<Opened> {
  const { vars, settings, findings } = readProduction();
  if (!settings) throw new Error(findings.map(({ what, say }) => `${what} ${say}`).join('; '));
  const config = configOf((toml) => withRemoteBindings(withoutWorker(toml)));
  return open(config, vars, { persist: false, remoteBindings: true }, () => undefined);
}

/** A configuration of our own, made of the product's. */
function configOf(change: (toml: string) => string): string {
  const config = path.join(WORK, 'wrangler.toml');
  mkdirSync(WORK, { recursive: true });
  writeFileSync(config, change(readFileSync('wrangler.toml', 'utf8')));
  return config;
}

/**
 * Without the Worker and its files, which this does not start. Who names the clinics' objects rings their clocks too, and
 * without the product's Worker a ring is lost.
 */
function withoutWorker(toml: string): string {
  return toml
    .replace(/^main = .*$/m, '')
    .replace(/^\[assets\][\s\S]*?(?=^\[)/m, '')
    .replace(/^\[\[durable_objects[\s\S]*?(?=^\[\[r2_buckets)/m, '');
}

/** Database and bucket are the real ones. */
function withRemoteBindings(toml: string): string {
  return toml.replace(/^binding = "(?:INSTALLATION|MEDIA)"$/gm, '$&\nremote = true');
}

async function open(
  configPath: string,
  vars: Record<string, string>,
  options: { persist: false | { path: string }; remoteBindings: boolean },
  say: (what: string) => void,
): Promise<Opened> {
  Object.assign(process.env, QUIET);
  // Loads the Workers runtime, so a refused call must not wait for it.
  const { getPlatformProxy } = await import('wrangler');
  const platform = await getPlatformProxy<Env>({ configPath, ...options });
  const deps = createDeps({ ...platform.env, ...vars, INSTALLATION: patientDatabase(platform.env.INSTALLATION, say) });
  const actor = { kind: 'operator', id: userInfo().username, sessionId: '', ipHash: '', requestId: '' } as const;
  return { deps: { ...deps, actor }, close: () => platform.dispose() };
}
