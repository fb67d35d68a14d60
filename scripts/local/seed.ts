import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { hubs } from '#sandbox/credentials';
import { PROVIDER_SCRIPT_PATH } from '#shared/partners';
import { waitWhileLocked } from './database.ts';
import { rawAsText } from './raw-as-text.ts';
import { HISTORY_PATH } from './seed/history-plan.ts';
import { openSandbox } from './seed/sandbox.ts';
import type { HistoryReply, SeedCall, SeedError, SeedReply } from './seed/worker.ts';
import type { Local } from './settings.ts';

/** Links that can be paid now, and the site's published revision. */
export type Seeded = { payLinks: string[]; revision: number };

/**
 * Creates the initial data of a local product: its first merchants, connected and boarded, with pay links on open
 * invoices, the owner of the content area and the first articles. Later starts keep the links that can still be paid
 * and issue more if some are missing. It runs in a separate Worker on the product's state folder under the product's
 * name, because only a Worker of that name can open a clinic's object. Nothing else may have the folder open: two
 * processes on one database file interfere with each other.
 */
export async function seedLocal(local: Local, say: (message: string) => void): Promise<Seeded> {
  const runtime = new Miniflare(await optionsOf(local));
  try {
    const providerScript = readFileSync(`sandbox/card-frame/${path.basename(PROVIDER_SCRIPT_PATH)}`, 'utf8');
    const { owner, sandboxUrl, hasHistory } = local;
    const call: SeedCall = { owner, sandboxUrl, hasHistory, providerScript };
    await resetClock(local);
    const { payIds, revision, isNew } = await seedOnce(runtime, call, say);
    if (isNew && hasHistory) await writeHistory(runtime, call, local, say);
    return { payLinks: payIds.map((payId) => `${local.appUrl}/make/payment/${payId}`), revision };
  } finally {
    await runtime.dispose();
  }
}

/** Contains 'begun' while the history is written, and 'done' afterwards. */
const historyFile = ({ state }: Local) => path.join(state, 'history');

/** Runs only once: rows from an interrupted start stay and are not written again. */
async function writeHistory(runtime: Miniflare, call: SeedCall, local: Local, say: (message: string) => void) {
  say('writing the last 90 days of the first merchant (TILLWAY_HISTORY=none skips this)');
  writeFileSync(historyFile(local), 'begun');
  const answer = await runtime.dispatchFetch(`http://seed${HISTORY_PATH}`, {
    method: 'POST',
    body: JSON.stringify(call),
  });
  const reply = (await answer.json()) as HistoryReply | SeedError;
  if ('error' in reply) throw new Error(`the history was not written: ${reply.error}`);
  writeFileSync(historyFile(local), 'done');
  say(`${reply.payments} payments of the last 90 days are written`);
}

/** Resets the sandbox's clock if an interrupted history left it in the past. */
async function resetClock(local: Local): Promise<void> {
  const file = historyFile(local);
  if (!existsSync(file) || readFileSync(file, 'utf8') === 'done') return;
  await (await openSandbox(local.sandboxUrl, hubs[0].hubId)).setClock(Date.now());
  writeFileSync(file, 'done');
}

async function optionsOf({ state, vars }: Local) {
  const { outputFiles } = await build({
    entryPoints: ['scripts/local/seed/worker.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    define: { 'import.meta.env.DEV': 'false' },
    external: ['cloudflare:*', 'node:*'],
    plugins: [rawAsText()],
  });
  const { workerOptions } = unstable_getMiniflareWorkerOptions('wrangler.toml');
  const { modulesRules: _rules, assets: _assets, ...worker } = workerOptions;
  return convertV4MiniflareOptions({
    host: '127.0.0.1',
    port: 0,
    cf: false,
    log: new Log(LogLevel.ERROR),
    resourcePersistencePath: path.join(state, 'v3'),
    // Its info lines are irrelevant to the person who starts the product.
    handleStructuredLogs: () => undefined,
    workers: [
      {
        name: 'tillway',
        ...worker,
        bindings: vars,
        modules: [{ type: 'ESModule' as const, path: 'seed.mjs', contents: outputFiles[0]?.text ?? '' }],
      },
    ],
  });
}

/** Calls the seed, which is idempotent and may be retried. */
const seedOnce = (runtime: Miniflare, call: SeedCall, say: (message: string) => void): Promise<SeedReply> =>
  waitWhileLocked(async () => {
    const answer = await runtime.dispatchFetch('http://seed/', { method: 'POST', body: JSON.stringify(call) });
    const reply = (await answer.json()) as SeedReply | SeedError;
    if ('error' in reply) throw new Error(`the first data was not written: ${reply.error}`);
    return reply;
  }, say);
