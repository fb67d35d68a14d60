import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BuildReport } from '#shared/contracts/content';
import { builtPath } from '#shared/paths';
import { checkTree } from './going-live/check-tree.ts';
import { PRODUCTION_FILE, readProduction } from './going-live/read-production.ts';
import { run, stopAll } from './local/processes.ts';

/**
 * `npm run deploy`: migrations, the site built from what is published, the Worker, its secrets. A deploy hook runs the same
 * with the settings that the build service hands in as variables; it uploads no secrets.
 */
const WORK = path.resolve('.wrangler/deploy-build');
const OUT = path.resolve('dist');
const COPY = path.join(WORK, 'content');
const isHere = existsSync(PRODUCTION_FILE);

for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => void stopAll().then(() => process.exit(1)));

const { appUrl, buildSecret, vars } = whatFor();
try {
  await deploy();
} catch (cause) {
  const reason = cause instanceof Error ? cause.message : String(cause);
  console.error(`deploy: ${reason}`);
  await tell({ state: 'failed', reason: reason.slice(0, 900) });
  process.exitCode = 1;
}

/** From the file on a person's machine, from variables at a build service. */
function whatFor(): { appUrl: string; buildSecret: string; vars: Record<string, string> } {
  if (!isHere) {
    const { APP_URL: appUrl = '', BUILD_SECRET: buildSecret = '' } = process.env;
    if (!appUrl) throw new Error(`there is neither ${PRODUCTION_FILE} nor a variable APP_URL; see docs/deploy.md`);
    return { appUrl, buildSecret, vars: {} };
  }
  const { settings, vars, findings } = readProduction();
  const bad = [...findings, ...checkTree(settings)].filter(
    ({ state, what }) => state !== 'ok' && what !== 'DEPLOY_HOOK_URL',
  );
  for (const { what, state, say } of bad) console.error(`${state} ${what}: ${say}`);
  if (!settings || bad.some(({ state }) => state === 'missing')) throw new Error('npm run doctor says more');
  return { appUrl: settings.APP_URL, buildSecret: settings.BUILD_SECRET, vars };
}

async function deploy(): Promise<void> {
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  await step('applying migrations', 5, () =>
    run('wrangler', ['d1', 'migrations', 'apply', 'DB', '--remote', '-c', 'wrangler.toml']),
  );
  await step('reading what is published', 15, pullContent);
  await step('building the site', 25, () =>
    run('astro', ['build'], { CONTENT_STATE: COPY, OUT_DIR: OUT, APP_URL: appUrl, NODE_ENV: 'production' }),
  );
  if (!existsSync(path.join(OUT, 'server/entry.mjs'))) throw new Error('the build holds no Worker');
  // The build copies local settings in; none of them may leave this machine.
  rmSync(path.join(OUT, 'server/.dev.vars'), { force: true });
  await step('uploading', 85, () => run('wrangler', ['deploy', '-c', 'dist/server/wrangler.json']));
  if (isHere) await step('uploading the settings', 95, uploadSettings);
  const { revision } = JSON.parse(readFileSync(path.join(OUT, 'client', builtPath), 'utf8')) as { revision: number };
  await tell({ state: 'built', revision });
  console.log(`live at ${appUrl}, revision ${revision}; npm run doctor looks at it`);
}

/** The published part of the database, copied into one that the build has for itself. */
async function pullContent(): Promise<void> {
  const file = path.join(WORK, 'content.sql');
  const tables = ['site_state', 'media', 'articles'].flatMap((name) => ['--table', name]);
  await run('wrangler', ['d1', 'export', 'DB', '--remote', ...tables, '--output', file, '-c', 'wrangler.toml']);
  await run('wrangler', [
    'd1',
    'execute',
    'DB',
    '--local',
    '--persist-to',
    COPY,
    '--file',
    file,
    '-c',
    'wrangler.toml',
  ]);
  rmSync(file);
}

async function uploadSettings(): Promise<void> {
  const file = path.join(WORK, 'secrets.json');
  writeFileSync(file, JSON.stringify(vars), { mode: 0o600 });
  try {
    await run('wrangler', ['secret', 'bulk', file, '-c', 'wrangler.toml']);
  } finally {
    rmSync(file);
  }
}

async function step(what: string, progress: number, work: () => Promise<void>): Promise<void> {
  console.log(`- ${what}`);
  await tell({ state: 'building', progress, step: what });
  await work();
}

/** The content area shows how far it is; where it cannot be told, it looks at the live site. */
async function tell(body: BuildReport): Promise<void> {
  if (!buildSecret) return;
  await fetch(`${appUrl}/api/internal/builds/latest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${buildSecret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
}
