import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BuildReportBody } from '#shared/contracts/content/content-request';
import { builtPath } from '#shared/paths';
import { asking } from './going-live/ask-database.ts';
import { checkTree, keepsAddressesOut } from './going-live/check-tree.ts';
import { createTables, pullContent } from './going-live/pull-content.ts';
import { PRODUCTION_FILE, readProduction } from './going-live/read-production.ts';
import { reasonOf } from './local/build-reason.ts';
import { run, stopAll } from './local/processes.ts';
import { tellBuild } from './local/tell-build.ts';

/**
 * `npm run deploy`: applies migrations, builds the site from published content, uploads the Worker with its secrets.
 * A deploy hook runs the same with settings from the build service's variables, and uploads no secrets. `--dry-run`
 * sends nothing: it uses an empty local database and only prepares the upload.
 */
const WORK = path.resolve('.wrangler/deploy-build');
const OUT = path.resolve('dist');
const COPY = path.join(WORK, 'content');
const CONFIG = 'wrangler.toml';
/** The configuration that the build writes. */
const UPLOADED = 'server/wrangler.json';
const isRehearsal = process.argv.includes('--dry-run');

type Installation = { appUrl: string; buildSecret: string; vars: Record<string, string> };

for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => void stopAll().then(() => process.exit(1)));

let installation: Installation | undefined;
try {
  installation = whatFor();
  await deploy(installation);
} catch (cause) {
  // One line for the person who deploys, without a stack trace, which would not help them.
  const reason = cause instanceof Error ? cause.message : String(cause);
  console.error(`deploy: ${reason}`);
  if (installation) await tell(installation, { state: 'failed', reason: reasonOf(cause) });
  process.exitCode = 1;
}

/** Reads settings from the file on a person's machine, or from variables at a build service. */
function whatFor(): Installation {
  const unknown = process.argv.slice(2).filter((argument) => argument !== '--dry-run');
  if (unknown.length > 0) throw new Error(`unknown argument ${unknown.join(' ')}; only --dry-run is allowed`);
  const { APP_URL: appUrl = '', BUILD_SECRET: buildSecret = '' } = process.env;
  const isHere = existsSync(PRODUCTION_FILE);
  if (!isHere && !appUrl && !isRehearsal) {
    throw new Error(`there is neither ${PRODUCTION_FILE} nor a variable APP_URL; see docs/deploy.md`);
  }
  const { settings, vars, findings } = isHere ? readProduction() : { settings: null, vars: {}, findings: [] };
  const bad = [...findings, ...checkTree(settings)].filter(
    ({ state, what }) => state !== 'ok' && what !== 'DEPLOY_HOOK_URL',
  );
  for (const { what, state, say: words } of bad) console.error(`${state} ${what}: ${words}`);
  if (isRehearsal) {
    return { appUrl: settings?.APP_URL ?? (appUrl || 'https://rehearsal.example'), buildSecret: '', vars };
  }
  if ((isHere && !settings) || bad.some(({ state }) => state === 'missing')) {
    throw new Error('the installation is not complete; npm run doctor lists what is missing');
  }
  return settings
    ? { appUrl: settings.APP_URL, buildSecret: settings.BUILD_SECRET, vars }
    : { appUrl, buildSecret, vars };
}

async function deploy(what: Installation): Promise<void> {
  const { appUrl, vars } = what;
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  const database = isRehearsal ? rehearsalDatabase() : ['--remote', '-c', CONFIG];
  const step = async (name: string, progress: number, work: () => Promise<void>) => {
    console.log(`- ${name}`);
    await tell(what, { state: 'building', progress, step: name });
    await work();
  };

  await step('applying migrations', 5, () =>
    run('wrangler', ['d1', 'migrations', 'apply', 'INSTALLATION', ...database]),
  );
  await step('reading what is published', 15, () => readPublished(database));
  await step('building the site', 25, () =>
    run('astro', ['build'], { CONTENT_STATE: COPY, OUT_DIR: OUT, APP_URL: appUrl, NODE_ENV: 'production' }),
  );
  if (!existsSync(path.join(OUT, 'server/entry.mjs'))) throw new Error('the build holds no Worker');
  // The build copies local settings in; they must not leave this machine.
  rmSync(path.join(OUT, 'server/.dev.vars'), { force: true });
  if (!keepsAddressesOut(readFileSync(path.join(OUT, UPLOADED), 'utf8'))) {
    throw new Error('the built configuration would let the platform keep addresses in its logs; see wrangler.toml');
  }
  await step('uploading', 85, () => upload(vars));
  const { revision } = JSON.parse(readFileSync(path.join(OUT, 'client', builtPath), 'utf8')) as { revision: number };
  await tell(what, { state: 'built', revision });
  console.log(
    isRehearsal
      ? 'nothing was uploaded: everything that runs on this machine works'
      : `live at ${appUrl}, revision ${revision}; npm run doctor looks at it`,
  );
}

/** A configuration in its own folder with its own database: wrangler keeps local state next to its configuration. */
function rehearsalDatabase(): string[] {
  const config = path.join(WORK, CONFIG);
  const own = 'migrations/installation';
  const migrations = path.resolve(own).replaceAll(path.sep, '/');
  writeFileSync(config, readFileSync(CONFIG, 'utf8').replace(`"./${own}"`, JSON.stringify(migrations)));
  return ['--local', '-c', config];
}

/** Copies the published part of the database into a database for the build. */
async function readPublished(database: string[]): Promise<void> {
  const own = ['--local', '--persist-to', COPY, '-c', CONFIG];
  await run('wrangler', ['d1', 'execute', 'INSTALLATION', '--command', createTables, ...own]);
  const [file] = globSync('v3/d1/*/*.sqlite', { cwd: COPY }).filter((name) => !name.endsWith('metadata.sqlite'));
  if (!file) throw new Error('there is no database to copy into');
  await pullContent(asking(database), path.join(COPY, file));
}

/** Worker, files and settings become one version, so none is ever live without the others. */
async function upload(vars: Record<string, string>): Promise<void> {
  const file = path.join(WORK, 'secrets.json');
  const isGiven = Object.keys(vars).length > 0;
  const commit = commitOf();
  if (isGiven) writeFileSync(file, JSON.stringify(vars), { mode: 0o600 });
  try {
    await run('wrangler', [
      'deploy',
      '-c',
      path.join('dist', UPLOADED),
      ...(commit ? ['--var', `COMMIT:${commit}`] : []),
      ...(isGiven ? ['--secrets-file', file] : []),
      ...(isRehearsal ? ['--dry-run'] : []),
    ]);
  } finally {
    rmSync(file, { force: true });
  }
}

/** A build service names it; empty where there is no repository. */
function commitOf(): string {
  const { WORKERS_CI_COMMIT_SHA } = process.env;
  return WORKERS_CI_COMMIT_SHA || spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout?.trim() || '';
}

/** The content area shows how far it is; where it cannot be told, it looks at the live site. */
async function tell(what: Installation, body: BuildReportBody): Promise<void> {
  if (what.buildSecret) await tellBuild(what, 'latest', body);
}
