import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { OWN_BUCKETS, OWN_D1 } from './world-env.ts';

/**
 * The Worker's own process, so that tests can kill it: several isolates of one Worker over the clinics, databases and
 * buckets of many worlds. Its parent sends the scripts to run, and it exits with its parent. `scripts`: the clinics'
 * objects run the first one; the isolates run all of them in turn.
 */
export type Start = { scripts: string[]; isolates: number; worlds: number; folder: string };
export type ToProcess = { do: 'start'; start: Start };
export type FromProcess = { urls: string[] } | { failure: string };

let mf: Miniflare | undefined;
let starts = 0;

/** Name of the Worker whose isolate holds the clinics' objects. */
const OBJECTS = 'objects';
const nameOf = (index: number) => `worker-${index}`;

const bindingsPerWorld = (worlds: number, bindings: string[]) =>
  Object.fromEntries(
    bindings.flatMap((binding) =>
      Array.from({ length: worlds }, (_, world) => [`${binding}_${world}`, `${binding.toLowerCase()}-${world}`]),
    ),
  );

const workerOf = (name: string, script: string | undefined, worlds: number) => ({
  name,
  modules: true as const,
  script: script ?? '',
  compatibilityDate: '2026-08-01',
  compatibilityFlags: ['nodejs_compat'],
  // The Worker is only replaced when its options change.
  bindings: { STARTS: String(starts) },
  durableObjects: {
    CLINICS: { className: 'Clinic', useSQLite: true, ...(name === OBJECTS ? {} : { scriptName: OBJECTS }) },
  },
  d1Databases: bindingsPerWorld(worlds, OWN_D1),
  r2Buckets: bindingsPerWorld(worlds, OWN_BUCKETS),
  unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
});

const optionsOf = ({ scripts, isolates, worlds, folder }: Start) =>
  convertV4MiniflareOptions({
    resourcePersistencePath: folder,
    handleStructuredLogs: ({ message }) => {
      if (process.env.MONEY_LOGS) process.stderr.write(`${message}\n`);
    },
    workers: [
      ...Array.from({ length: isolates }, (_, index) =>
        workerOf(nameOf(index), scripts[index % scripts.length], worlds),
      ),
      workerOf(OBJECTS, scripts[0], worlds),
    ],
  });

/** Reloads the Worker on its former ports. Returns null if another process has taken one of them meanwhile. */
async function reload(running: Miniflare, options: ReturnType<typeof optionsOf>): Promise<Miniflare | null> {
  try {
    await running.setOptions(options);
    return running;
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_ADDRESS_IN_USE') throw cause;
    await running.dispose().catch(() => undefined);
    return null;
  }
}

async function handleMessage({ start }: ToProcess): Promise<FromProcess> {
  starts += 1;
  const options = optionsOf(start);
  const running = (mf && (await reload(mf, options))) ?? new Miniflare(options);
  mf = running;
  await running.ready;
  const urls = await Promise.all(
    Array.from({ length: start.isolates }, (_, index) => running.unsafeGetDirectURL(nameOf(index))),
  );
  return { urls: urls.map((url) => url.origin) };
}

const answer = (message: FromProcess) => process.send?.(message);

process.on('message', (message: ToProcess) => {
  handleMessage(message).then(answer, (cause: unknown) =>
    answer({ failure: String(cause instanceof Error ? cause.stack : cause) }),
  );
});
process.on('disconnect', () => void Promise.resolve(mf?.dispose()).finally(() => process.exit(0)));
