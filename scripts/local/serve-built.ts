import { existsSync, globSync, watch } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { type Relay, startRelay } from './relay.ts';

/**
 * The built Worker on Miniflare: `serve-built.ts <configuration> <state folder> <port> [<entry>]`. Wrangler's
 * development proxy costs several times as much as the Worker itself. An entry is a file whose `wrapWorker` gets the Worker
 * and returns the one to serve; its bindings include the environment's ENTRY_SECRET. Prints the Worker's log and serves
 * the files of a new build as they arrive.
 */
const [config = '', state = '', port = '', entry] = process.argv.slice(2);
const SETTLED_MS = 100;
/** The last file of a swap except its mark, and the file that names the served build; see swap-site.ts. */
const TRIGGER_FILES = new Set(['.assetsignore', 'built.json']);
const MAIN = 'entry.mjs';
const MAIN_WITH_ENTRY = 'main-with-entry.mjs';

const server = path.dirname(config);
const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
const { modulesRules: _, ...worker } = workerOptions;

const options = convertV4MiniflareOptions({
  host: '127.0.0.1',
  port: 0,
  log: new Log(LogLevel.WARN),
  logRequests: false,
  unsafeTriggerHandlers: true,
  resourcePersistencePath: path.join(state, 'v3'),
  handleStructuredLogs: ({ message }) => process.stdout.write(`${message}\n`),
  workers: [
    {
      name: 'tillway',
      ...worker,
      bindings: { ...Object(worker.bindings), ...(entry && { ENTRY_SECRET: process.env.ENTRY_SECRET ?? '' }) },
      modulesRoot: server,
      modules: [...(entry ? await entryModules(entry) : []), ...builtModules()],
    },
  ],
});

const runtime = new Miniflare(options);
let workerPort = Number((await runtime.ready).port);
const relay = await startRelay(Number(port), () => workerPort);
restartOnNewFiles(relay);

for (const name of ['SIGTERM', 'SIGINT'] as const) {
  process.once(name, async () => {
    await relay.close();
    await runtime.dispose();
    process.exit(0);
  });
}

type Module = { type: 'ESModule'; path: string; contents?: string };

/** The built files, unchanged. The first module is the entry. */
function builtModules(): Module[] {
  const names = globSync('**/*.mjs', { cwd: server }).sort((a, b) => Number(b === MAIN) - Number(a === MAIN));
  return names.map((name) => ({ type: 'ESModule', path: path.join(server, name) }));
}

/** Modules that wrap the built Worker in an entry. */
async function entryModules(file: string): Promise<Module[]> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    external: ['cloudflare:*'],
  });
  const wrappers = {
    [MAIN_WITH_ENTRY]: `export * from './${MAIN}';\nimport worker, * as own from './${MAIN}';\nimport { wrapWorker, withTestAlarms } from './around.mjs';\nexport default wrapWorker(worker);\nexport const Clinic = withTestAlarms(own.Clinic);\n`,
    'around.mjs': outputFiles[0]?.text ?? '',
  };
  for (const name of Object.keys(wrappers)) {
    if (existsSync(path.join(server, name))) throw new Error(`the build already contains ${name}`);
  }
  return Object.entries(wrappers).map(([name, contents]) => ({
    type: 'ESModule',
    path: path.join(server, name),
    contents,
  }));
}

/** The runtime reads the list of files when it starts, so new files need a restart. */
function restartOnNewFiles({ during }: Relay): void {
  let timer: NodeJS.Timeout | undefined;
  const restart = () =>
    during(async () => {
      await runtime.setOptions(options);
      workerPort = Number((await runtime.ready).port);
    });
  watch(path.join(server, '../client'), (_event, name) => {
    if (name === null || !TRIGGER_FILES.has(name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void restart(), SETTLED_MS);
  });
}
