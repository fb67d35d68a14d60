import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { start, stopAll, waitFor } from '#scripts/local/processes';
import { readMigrations } from '#tests/money/cluster/migrations';
import { installationOf, productOfWorker, useProduct } from '#tests/support/product/product';
import type { Deps } from '#worker/deps';
import { clinicOfAccount, findOrCreateClinic, reportKeys } from '#worker/domain/merchants/clinic-of-account';

export type VendorReply = { status: number; headers?: Record<string, string>; body?: string };
/** A vendor's answer to a call; undefined leaves it to the simulated world. */
export type Script = (call: string, real: () => Promise<VendorReply>) => VendorReply | Promise<VendorReply> | undefined;

export const json = (value: unknown, status = 200): VendorReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/**
 * A second built Worker whose vendors give answers that no simulated world would: all calls pass through a server
 * that a test scripts. It has its own database, because two Workers on one file would lock each other out.
 */
export async function useScriptedVendors() {
  const shared = productOfWorker();
  let script: Script = () => undefined;
  const vendors = http.createServer((request, response) => void answer(request, response));
  const vendorUrl = `http://localhost:${await listen(vendors)}`;
  const port = await freePort();
  const state = mkdtempSync(path.join(tmpdir(), 'tillway-odd-'));
  const configFile = path.join(shared.state, `site/server/wrangler.${process.pid}.json`);
  const appUrl = `http://localhost:${port}`;

  async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const real = async (): Promise<VendorReply> => {
      const headers = Object.entries(request.headers).filter(
        ([name]) => !/^(host|connection|content-length)$/.test(name),
      );
      const response = await fetch(`${shared.sandboxUrl}${request.url}`, {
        method: request.method ?? 'GET',
        headers: headers as [string, string][],
        ...(parts.length > 0 ? { body: Buffer.concat(parts) } : {}),
        redirect: 'manual',
      });
      const type = response.headers.get('content-type');
      return {
        status: response.status,
        ...(type ? { headers: { 'content-type': type } } : {}),
        body: await response.text(),
      };
    };
    const call = `${request.method} ${request.url?.split('?')[0]}`;
    const { status, headers, body } = (await script(call, real)) ?? (await real());
    response.writeHead(status, headers).end(body);
  }

  beforeAll(async () => {
    symlinkSync(path.join(shared.state, 'site'), path.join(state, 'site'), 'junction');
    const config = JSON.parse(readFileSync(path.join(shared.state, 'site/server/wrangler.local.json'), 'utf8')) as {
      vars: Record<string, string>;
    };
    const vars = {
      ...config.vars,
      APP_URL: appUrl,
      HUBSPOT_API_BASE: vendorUrl,
      GATEWAY_BASE_URL: vendorUrl,
      SNAPSHOT_MS: '0',
    };
    writeFileSync(configFile, JSON.stringify({ ...config, vars }), { mode: 0o600 });
    const tail: string[] = [];
    const child = start(
      'node',
      ['scripts/local/serve-built.ts', configFile, state, String(port), 'tests/support/product/worker-entry.ts'],
      { ENTRY_SECRET: shared.secret },
      (line) => tail.push(line),
    );
    await waitFor(`${appUrl}/robots.txt`, child, () => tail);
    await bringMerchants(installationOf(shared), installationOf({ ...shared, appUrl }));
  });
  const product = useProduct({ ...shared, appUrl, state });
  // The product that all tests share does not know these payments.
  beforeAll(() => product.sandbox('settings', { webhook_urls: { transactions: `${vendorUrl}/lost` } }));
  afterAll(async () => {
    await product.sandbox('settings', { webhook_urls: { transactions: null } });
    await stopAll();
    vendors.closeAllConnections();
    vendors.close();
    rmSync(configFile, { force: true });
    rmSync(state, { recursive: true, force: true, maxRetries: 5 });
  });

  return {
    product,
    /** Runs with scripted vendors; afterwards they answer normally again. */
    async during<T>(nextScript: Script, work: () => Promise<T>): Promise<T> {
      script = nextScript;
      try {
        return await work();
      } finally {
        script = () => undefined;
      }
    },
  };
}

/** Copies the merchants as connected and boarded, without their history. */
async function bringMerchants(from: Deps, to: Deps): Promise<void> {
  const { $client } = to.installation;
  const tables = await readMigrations('installation');
  await $client.batch(tables.map((text) => $client.prepare(text)));
  for (const { hubId } of hubs) {
    const source = await clinicOfAccount(from, hubId);
    if (!source) continue;
    const target = await findOrCreateClinic(to, hubId);
    await copyMerchant(source.db.$client, target.db.$client);
    await reportKeys(target);
  }
}

async function copyMerchant(from: D1Database, to: D1Database): Promise<void> {
  for (const table of ['accounts', 'crm_tokens', 'merchants', 'terminals']) {
    const { results } = await from.prepare(`SELECT * FROM ${table}`).all<Record<string, unknown>>();
    const inserts = results.map((row) => {
      const places = Object.keys(row).map(() => '?');
      const text = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`;
      return to.prepare(text).bind(...Object.values(row));
    });
    if (inserts.length > 0) await to.batch(inserts);
  }
}

function listen(server: http.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, 'localhost', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port'));
      else resolve(address.port);
    });
  });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await new Promise<number>((resolve) => {
    probe.listen(0, 'localhost', () => {
      const address = probe.address();
      resolve(address !== null && typeof address !== 'string' ? address.port : 0);
    });
  });
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
