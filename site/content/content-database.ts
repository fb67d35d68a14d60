import path from 'node:path';
import type { ViteUserConfig } from 'astro';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_readConfig } from 'wrangler';

type Plugin = Extract<NonNullable<ViteUserConfig['plugins']>[number], { name: string }>;

let database: D1Database | undefined;

/** The `env` of `cloudflare:workers` during a build. Prerendered pages need nothing else. */
export const env = {
  get INSTALLATION(): D1Database {
    if (!database) throw new Error('a page was rendered while the database of the content was not open');
    return database;
  },
};

/** Opens the D1 database from wrangler.toml in a folder of local state. Returns a function that closes it. */
export async function openContent(state: string): Promise<() => Promise<void>> {
  const bindings: { binding: string; database_id?: string }[] = unstable_readConfig({
    config: 'wrangler.toml',
  }).d1_databases;
  const d1Databases = Object.fromEntries(bindings.map(({ binding, database_id: id = '' }) => [binding, id]));
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.ERROR),
      resourcePersistencePath: path.join(state, 'v3'),
      workers: [{ name: 'content', modules: true, script: '', d1Databases }],
    }),
  );
  database = await runtime.getD1Database('INSTALLATION');
  return async () => {
    database = undefined;
    await runtime.dispose();
  };
}

/** In a build, `cloudflare:workers` resolves to this module instance, so that pages share its `env`. */
export const contentAsEnv: Plugin = {
  name: 'content-as-env',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'prerender',
  resolveId: {
    filter: { id: /^cloudflare:workers$/ },
    handler: () => ({ id: import.meta.url, external: true }),
  },
};
