import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { hubs, terminals } from '#sandbox/credentials';
import { listenSandbox } from '#sandbox/listen';
import { readMigrations } from '#tests/money/cluster/migrations';
import { testSettings } from '#tests/support/unit/settings';
import { type ClinicCalls, type Reply, remoteD1, type SerializedStatement } from '#worker/clinic/d1-interface';
import { clinicMigrations } from '#worker/clinic/migrations';
import { bundleOf, type Replacement } from './bundle.ts';

export type BenchWorker = Awaited<ReturnType<typeof openBenchWorker>>;

/** The bench Worker on miniflare's direct socket (no proxy), with a sandbox and live pay links. */
export async function openBenchWorker({
  shell = '',
  set = {},
  invoices = 20,
  replaced = [],
}: {
  shell?: string;
  set?: Record<string, string>;
  invoices?: number;
  replaced?: Replacement[];
} = {}) {
  const sandbox = await listenSandbox({ file: ':memory:', port: 0, productUrl: 'http://localhost:8787' });
  const script = await bundleOf('./entry.ts', replaced);
  const { installation, call, url, folder, close } = await startWorker(
    script,
    { ...settings(sandbox.url), ...set },
    shell,
  );
  /** Returns the database of an account's clinic, which is created if it is missing. */
  const openClinic = async (accountId: number) => {
    const { clinic } = await call<{ clinic: number }>('PUT', `/bench/clinics/${accountId}`);
    const remote: ClinicCalls = {
      ask: (_schema, statements) => call<Reply>('PUT', `/bench/ask/${clinic}`, statements),
      migrate: () => Promise.reject(new Error('a new clinic is never behind')),
    };
    return { clinic, db: remoteD1(() => remote, clinicMigrations), base: `${url}/bench/base/${clinic}` };
  };

  const [account] = hubs;
  const terminal = terminals.find(({ channel }) => channel === 'ecommerce');
  const { hubId: accountId, name, domain, timeZone } = account;
  await call('PUT', '/bench/world', {
    account: { accountId, name, domain, timeZone },
    refreshToken: account.refreshToken,
    terminal: { ...terminal, accountId },
  });
  const response = await fetch(`${sandbox.url}/_sandbox/hubs/${account.hubId}/invoices`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ count: invoices }),
  });
  const { ids } = (await response.json()) as { ids: string[] };
  const payIds: string[] = [];
  for (const id of ids)
    payIds.push((await call<{ payId: string }>('PUT', `/bench/links/${account.hubId}/${id}`)).payId);

  return {
    url,
    sandboxUrl: sandbox.url,
    payIds,
    ...(await openClinic(accountId)),
    openClinic,
    /** Runs statements in one transaction in a clinic's object, or in an object that has only the same tables. */
    write: (to: { clinic: number } | { bare: string }, statements: SerializedStatement[]) =>
      call<unknown>('PUT', 'bare' in to ? `/bench/bare/${to.bare}` : `/bench/ask/${to.clinic}`, statements),
    installation,
    /** The number of objects ever touched: the runtime creates a file for each. */
    objects: () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /Clinic\W[0-9a-f]{64}\.sqlite$/.test(file),
      ).length,
    logIn: async (accountId: number) =>
      (await call<{ accessToken: string }>('PUT', `/bench/session/${accountId}`)).accessToken,
    publicKey: terminal?.publicKey ?? '',
    async close() {
      await close();
      await sandbox.close();
    },
  };
}

/** Runs a script on miniflare's direct socket (no proxy), with an empty directory; a shell is its only built page. */
export async function startWorker(script: string, bindings: Record<string, string>, shell = '') {
  const folder = mkdtempSync(path.join(tmpdir(), 'tillway-bench-'));
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: folder,
      handleStructuredLogs: () => undefined,
      workers: [
        {
          name: 'bench',
          modules: true,
          script,
          compatibilityDate: '2026-08-01',
          compatibilityFlags: ['nodejs_compat'],
          d1Databases: { INSTALLATION: 'installation' },
          durableObjects: {
            CLINICS: { className: 'Clinic', useSQLite: true },
            BARE: { className: 'Bare', useSQLite: true },
          },
          r2Buckets: { MEDIA: 'media', AUDIT_ANCHORS: 'anchors', BACKUPS: 'backups' },
          serviceBindings: { ASSETS: 'assets' },
          bindings,
          unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
        },
        // Stands in for the built site; only a shell is requested from it.
        {
          name: 'assets',
          modules: true,
          script: `export default { fetch: () => new Response(${JSON.stringify(shell)}, { headers: { 'content-type': 'text/html' } }) }`,
          compatibilityDate: '2026-08-01',
        },
      ],
    }),
  );
  await mf.ready;
  const installation = await mf.getD1Database('INSTALLATION', 'bench');
  for (const statement of await readMigrations('installation')) await installation.prepare(statement).run();
  const url = (await mf.unsafeGetDirectURL('bench')).origin;
  const call = async <T>(method: string, to: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}${to}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!response.ok) throw new Error(`${to}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const close = async () => {
    await mf.dispose();
    rmSync(folder, { recursive: true, force: true });
  };
  return { installation, call, url, folder, close };
}

export const settings = (sandboxUrl: string) => ({
  ...testSettings(sandboxUrl),
  APP_URL: 'http://127.0.0.1:8787',
  // The synced record stays fresh for the full measurement.
  SNAPSHOT_MS: '3600000',
  ACCESS_TOKEN_MS: '3600000',
});
