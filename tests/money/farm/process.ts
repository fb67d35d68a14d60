import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

/**
 * The Worker's own process, so that it can be killed: several isolates of one Worker over one D1 and one R2. It is told
 * what to run by its parent and dies with it.
 */
export type Start = { script: string; bindings: Record<string, string>; isolates: number; folder: string };
export type ToProcess = { do: 'start'; start: Start } | { do: 'reload' } | { do: 'stop' };
export type FromProcess = { urls: string[] } | { failure: string };

let mf: Miniflare | undefined;
let start: Start | undefined;
let reloads = 0;

const nameOf = (index: number) => `till-${index}`;

const optionsOf = ({ script, bindings, isolates, folder }: Start) =>
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
      bindings: { ...bindings, RELOADS: String(reloads) },
      d1Databases: { DB: 'money' },
      r2Buckets: { MEDIA: 'media' },
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    })),
  });

async function urlsOf(running: Miniflare, { isolates }: Start): Promise<string[]> {
  const urls = await Promise.all(
    Array.from({ length: isolates }, (_, index) => running.unsafeGetDirectURL(nameOf(index))),
  );
  return urls.map((url) => url.origin);
}

async function obey(message: ToProcess): Promise<FromProcess | null> {
  if (message.do === 'stop') {
    await mf?.dispose();
    process.exit(0);
  }
  if (message.do === 'start') start = message.start;
  if (!start) return { failure: 'not started' };
  if (message.do === 'start') mf = new Miniflare(optionsOf(start));
  else {
    reloads += 1;
    await mf?.setOptions(optionsOf(start));
  }
  await mf?.ready;
  return mf ? { urls: await urlsOf(mf, start) } : null;
}

const answer = (message: FromProcess) => process.send?.(message);

process.on('message', (message: ToProcess) => {
  obey(message).then(
    (reply) => reply && answer(reply),
    (cause: unknown) => answer({ failure: String(cause instanceof Error ? cause.stack : cause) }),
  );
});
process.on('disconnect', () => void mf?.dispose().finally(() => process.exit(0)));
