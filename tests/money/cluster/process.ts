import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

/**
 * The Worker's own process, so that it can be killed: several isolates of one Worker over the databases and buckets
 * of many worlds. Its parent tells it which script to run, and it dies with its parent.
 */
export type Start = { script: string; isolates: number; worlds: number; folder: string };
export type ToProcess = { do: 'start'; start: Start };
export type FromProcess = { urls: string[] } | { failure: string };

let mf: Miniflare | undefined;
let starts = 0;

const nameOf = (index: number) => `worker-${index}`;

const ofEachWorld = (worlds: number, binding: string) =>
  Object.fromEntries(
    Array.from({ length: worlds }, (_, world) => [`${binding}_${world}`, `${binding.toLowerCase()}-${world}`]),
  );

const optionsOf = ({ script, isolates, worlds, folder }: Start) =>
  convertV4MiniflareOptions({
    resourcePersistencePath: folder,
    handleStructuredLogs: ({ message }) => {
      if (process.env.MONEY_LOGS) process.stderr.write(`${message}\n`);
    },
    workers: Array.from({ length: isolates }, (_, index) => ({
      name: nameOf(index),
      modules: true,
      script,
      compatibilityDate: '2026-08-01',
      compatibilityFlags: ['nodejs_compat'],
      // The Worker is only replaced when its options change.
      bindings: { STARTS: String(starts) },
      d1Databases: ofEachWorld(worlds, 'DB'),
      r2Buckets: { ...ofEachWorld(worlds, 'MEDIA'), ...ofEachWorld(worlds, 'AUDIT_ANCHORS') },
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    })),
  });

async function obey({ start }: ToProcess): Promise<FromProcess> {
  starts += 1;
  if (mf) await mf.setOptions(optionsOf(start));
  else mf = new Miniflare(optionsOf(start));
  const running = mf;
  await running.ready;
  const urls = await Promise.all(
    Array.from({ length: start.isolates }, (_, index) => running.unsafeGetDirectURL(nameOf(index))),
  );
  return { urls: urls.map((url) => url.origin) };
}

const answer = (message: FromProcess) => process.send?.(message);

process.on('message', (message: ToProcess) => {
  obey(message).then(answer, (cause: unknown) =>
    answer({ failure: String(cause instanceof Error ? cause.stack : cause) }),
  );
});
process.on('disconnect', () => void Promise.resolve(mf?.dispose()).finally(() => process.exit(0)));
