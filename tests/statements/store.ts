import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import type { Call, Cost } from './store-worker.ts';

export type Store = {
  run(calls: Call[]): Promise<void>;
  measure(calls: Call[]): Promise<Cost[]>;
  plan(call: Call): Promise<string[]>;
};

/** Opens in-memory databases by name, which start empty. */
export async function openStores(): Promise<{ store(name: string): Store; close(): Promise<void> }> {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL('./store-worker.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    target: 'es2024',
    write: false,
    external: ['cloudflare:*'],
  });
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        {
          name: 'stores',
          modules: true,
          script: bundle.outputFiles[0]?.text ?? '',
          compatibilityDate: '2026-08-01',
          durableObjects: { STORE: { className: 'Store', useSQLite: true } },
          unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
        },
      ],
    }),
  );
  await mf.ready;
  const url = (await mf.unsafeGetDirectURL('stores')).origin;
  const ask = async <T>(store: string, method: string, argument: unknown): Promise<T> => {
    // A reused connection may be closed just as the request is sent.
    const headers = { connection: 'close' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ store, method, argument }) });
    if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    store: (name) => ({
      run: (calls) => ask(name, 'run', calls),
      measure: (calls) => ask(name, 'measure', calls),
      plan: (call) => ask(name, 'plan', call),
    }),
    close: () => mf.dispose(),
  };
}
