import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OperatorWords, Parts, RemoteName } from './environment-file.ts';

/** The fields of a wrangler configuration that an environment changes. */
type Config = {
  name?: string;
  compatibility_date?: string;
  d1_databases?: Record<string, unknown>[];
  r2_buckets?: Record<string, unknown>[];
};
const BUCKETS: Record<string, keyof Parts['buckets']> = {
  MEDIA: 'media',
  AUDIT_ANCHORS: 'anchors',
  BACKUPS: 'backups',
};

/**
 * A configuration with the names of an environment. All else stays as in wrangler.toml: wrangler's own environments
 * inherit neither bindings nor schedules, and would silently omit them.
 */
export function fitConfig<T extends Config>(config: T, parts: Parts, appUrl: string) {
  const { worker, database, buckets, placement } = parts;
  const { hostname } = new URL(appUrl);
  return {
    ...config,
    name: worker,
    d1_databases: (config.d1_databases ?? []).map((entry) => ({
      ...entry,
      database_name: database.name,
      database_id: database.id,
    })),
    r2_buckets: (config.r2_buckets ?? []).map((entry) => {
      const part = BUCKETS[String(entry.binding)];
      if (!part) throw new Error(`wrangler.toml has a bucket ${entry.binding} that no environment configures`);
      return { ...entry, bucket_name: buckets[part] };
    }),
    routes: [{ pattern: hostname, custom_domain: true }],
    ...(placement === '' ? {} : { placement: { region: placement } }),
  };
}

/** Writes what wrangler needs for an environment's database and secrets; returns the file. */
export async function writeAccountConfig(parts: Parts, appUrl: string, folder: string): Promise<string> {
  // Imported only here, because loading takes a second or two.
  const { experimental_readRawConfig } = await import('wrangler');
  const { rawConfig } = experimental_readRawConfig({ config: 'wrangler.toml' });
  const { name, d1_databases, r2_buckets, routes } = fitConfig(rawConfig as Config, parts, appUrl);
  const databases = d1_databases.map((db) => ({ ...db, migrations_dir: path.resolve('migrations/installation') }));
  const file = path.join(folder, 'wrangler.json');
  mkdirSync(folder, { recursive: true });
  const { compatibility_date } = rawConfig;
  writeFileSync(
    file,
    JSON.stringify({ name, compatibility_date, workers_dev: false, routes, r2_buckets, d1_databases: databases }),
  );
  return path.resolve(file);
}

type App = { uid: string; config: { name: string; auth: Record<string, unknown>; support: Record<string, unknown> } };

/** The app's description with an environment's values. Each environment has its own app, so staging has its own id. */
export function fitApp(text: string, name: RemoteName, appUrl: string, words: OperatorWords): App {
  const app = JSON.parse(text) as App;
  const { config } = app;
  const suffix = name === 'production' ? '' : ` (${name})`;
  return {
    ...app,
    uid: name === 'production' ? app.uid : `${app.uid}-${name}`,
    config: {
      ...config,
      name: `${words.name}${suffix}`,
      auth: { ...config.auth, redirectUrls: [`${new URL(appUrl).origin}/oauth`] },
      support: { ...config.support, supportEmail: words.supportEmail },
    },
  };
}

/** Exports of the modules with the operator's words in an environment; their samples are in shared/. */
export function operatorModules(name: RemoteName, words: OperatorWords) {
  const { supportPhone, supportEmail, bankPaymentDays, uptime, support, merchants, badges, evidence } = words;
  return {
    'shared/operator.ts': {
      operator: { name: words.name, supportPhone, supportEmail, bankPaymentDays },
      operatorClaims: { uptime, support, merchants, badges, areSamples: name !== 'production', evidence },
      operatorLegal: { effectiveDate: words.effectiveDate, governingLaw: words.governingLaw },
      INVOICE_FOOTER: words.invoiceFooter,
    },
    'shared/operator-cards.ts': { operatorCards: words.cards },
  };
}
