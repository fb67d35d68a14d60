import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { migrate } from './local/database.ts';
import { createFilter } from './local/log-filter.ts';
import { indent, onStopRequest, requireFreePort, start, stopAll, waitFor } from './local/processes.ts';
import type { Seeded } from './local/seed.ts';
import { type Local, readLocal } from './local/settings.ts';
import { buildSite, isBuilt, siteFolder } from './local/site-build.ts';
import { startSiteBuilder } from './local/site-builder.ts';
import { PAY_LINKS_FILE } from './monitor/installation.ts';

/**
 * `npm start`: the built product and its simulated outside world on this machine. `npm run dev`: the same with
 * Astro's dev server in front. Neither is deployed.
 */
const SCHEDULE_MS = 5000;
/** A line of the Worker's own log. */
const OWN_LINE = /\{"level":"(?:info|alert)",.*\}/;
const isDev = process.argv.includes('--dev');
/** A file that wraps the built Worker, as in journeys. See serve-built.ts. */
const entry = process.argv.find((_argument, at) => process.argv[at - 1] === '--entry');

let ending: Promise<never> | undefined;

/** Ends everything once. Later callers wait for the same end. */
function end(code: number): Promise<never> {
  ending ??= stopAll().then(() => process.exit(code));
  return ending;
}

onStopRequest(() => void end(0));
process.on('uncaughtException', (cause) => {
  console.error(`tillway: ${cause.message}`);
  void end(1);
});

try {
  await main();
} catch (cause) {
  // Errors caused by the stop itself are not failures.
  if (!ending) console.error(`tillway: ${cause instanceof Error ? cause.message : String(cause)}`);
  await end(1);
}

async function main(): Promise<void> {
  const local = readLocal(process.env);
  await requireFreePort(local.port, 'PORT');
  await requireFreePort(local.sandboxPort, 'SANDBOX_PORT');

  await migrate(local.state, say);
  // The dev server renders published content on request, so it needs no builds.
  const builder = isDev || local.vars.DEPLOY_HOOK_URL !== undefined ? undefined : await startSiteBuilder(local, say);
  if (builder) local.vars.DEPLOY_HOOK_URL = builder.hookUrl;
  say(`the content area's set-up code, used for the owner that is created here: ${local.vars.OWNER_SETUP_CODE}`);
  const { payLinks, revision } = await startAll(local);
  // For npm run monitor, which checks one of them.
  writeFileSync(path.join(local.state, PAY_LINKS_FILE), `${payLinks.join('\n')}\n`, { mode: 0o600 });
  // The newest published content may not be built yet.
  builder?.ask({ build: 'latest', revision });
  void schedule(local);

  const lines = [
    `sandbox ${local.sandboxUrl}`,
    ...payLinks.map((address) => `pay ${address}`),
    `login ${local.owner.email} ${local.owner.password}`,
    `operator ${local.appUrl}/operator ${local.vars.OPERATOR_SETUP_CODE}`,
    `ready ${local.appUrl}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Seeds before the product starts, since only one may have the databases open; the build reads the seeded content. */
async function startAll(local: Local): Promise<Seeded> {
  const seeded = await startWorld(local);
  if (!isDev && !isBuilt(local)) {
    say('building the site (a later start reuses it)');
    await buildSite(local);
  }
  await startProduct(local);
  return seeded;
}

async function startWorld(local: Local): Promise<Seeded> {
  say('starting the simulated CRM, card gateway and mailbox');
  await startSandbox(local);
  say('connecting the first merchant');
  // Loads the Workers runtime, so a refused start must not wait for it.
  const { seedLocal } = await import('./local/seed.ts');
  return seedLocal(local, say);
}

function startProduct(local: Local): Promise<void> {
  say('starting the product');
  return isDev ? startDev(local) : startBuilt(local);
}

function startSandbox({ port, sandboxPort, sandboxUrl, state }: Local): Promise<void> {
  return child('sandbox', 'node', ['sandbox/serve.ts'], `${sandboxUrl}/`, {
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    TILLWAY_STATE: state,
  });
}

/** Path of the Worker's log since the last start. */
function logOf({ state }: Local): string {
  return path.join(state, 'product.log');
}

/** The built Worker with its assets, on the state folder's D1 and R2. */
async function startBuilt(local: Local): Promise<void> {
  const server = path.join(siteFolder(local.state), 'server');
  const config = JSON.parse(readFileSync(path.join(server, 'wrangler.json'), 'utf8')) as Record<string, unknown>;
  // Pass settings in the configuration, because every user of the machine can read arguments.
  const configFile = path.join(server, 'wrangler.local.json');
  writeFileSync(configFile, JSON.stringify({ ...config, vars: local.vars }), { mode: 0o600 });
  const args = ['scripts/local/serve-built.ts', configFile, local.state, String(local.port), ...(entry ? [entry] : [])];
  await child('product', 'node', args, `${local.appUrl}/robots.txt`, {}, logOf(local));
}

/** Astro's dev server: pages are rendered on request, the Worker runs in workerd and reloads with its files. */
async function startDev(local: Local): Promise<void> {
  // An older file would override the settings passed on here, and two starts would share it.
  if (existsSync('.dev.vars')) throw new Error('remove .dev.vars: npm run dev passes the settings on');
  const env = {
    ...local.vars,
    CLOUDFLARE_INCLUDE_PROCESS_ENV: 'true',
    TILLWAY_STATE: local.state,
    APP_URL: local.appUrl,
  };
  const args = ['dev', '--port', String(local.port)];
  await child('product', 'astro', args, `${local.appUrl}/robots.txt`, env, logOf(local));
}

/** Nothing triggers a cron here, so this runs the schedule, one run after the other. */
async function schedule({ appUrl }: Local): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, SCHEDULE_MS));
    try {
      await fetch(`${appUrl}/cdn-cgi/local/scheduled`, { signal: AbortSignal.timeout(60_000) });
    } catch {
      // The product is reloading; the next run comes soon.
    }
  }
}

/**
 * Starts a part and waits until it responds. If it ends by itself, everything is stopped. `log` gets the Worker's own
 * lines.
 */
async function child(
  name: string,
  tool: string,
  args: string[],
  url: string,
  env: Record<string, string>,
  log?: string,
): Promise<void> {
  const tail: string[] = [];
  if (log) rmSync(log, { force: true });
  const isRelevant = createFilter();
  const process = start(tool, args, env, (line) => {
    tail.push(line);
    if (tail.length > 60) tail.shift();
    const ownLine = OWN_LINE.exec(line)?.[0];
    if (ownLine && log) appendFileSync(log, `${ownLine}\n`);
    if (isRelevant(ownLine ?? line) && ending === undefined) console.log(`[${name}] ${ownLine ?? line}`);
  });
  await waitFor(url, process, () => tail);
  process.once('exit', (code, signal) => {
    if (ending !== undefined) return;
    console.error(`tillway: the ${name} ended with ${code ?? signal}:\n${indent(tail.slice(-20))}`);
    void end(1);
  });
}

function say(message: string): void {
  console.log(`- ${message}`);
}
