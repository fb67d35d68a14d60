import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { start, stopAll, waitFor } from '../../scripts/local/processes.ts';
import type { Product } from './books.ts';

export type VendorReply = { status: number; headers?: Record<string, string>; body?: string };
/** Says what a vendor answers to a call; undefined leaves the answer to the simulated world. */
export type Script = (call: string, real: () => Promise<VendorReply>) => VendorReply | Promise<VendorReply> | undefined;

export const json = (value: unknown, status = 200): VendorReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/**
 * The built Worker once more, on the same database, with vendors that answer what no simulated world would: everything
 * passes through a server that a test can script.
 */
export function useOddVendors(product: Product) {
  let script: Script = () => undefined;
  const vendors = http.createServer((request, response) => void answer(request, response));
  const own = path.join(product.state, `site/server/wrangler.${process.pid}.json`);
  let appUrl = '';

  async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const real = async (): Promise<VendorReply> => {
      const headers = Object.entries(request.headers).filter(
        ([name]) => !/^(host|connection|content-length)$/.test(name),
      );
      const answered = await fetch(`${product.sandboxUrl}${request.url}`, {
        method: request.method ?? 'GET',
        headers: headers as [string, string][],
        ...(parts.length > 0 ? { body: Buffer.concat(parts) } : {}),
        redirect: 'manual',
      });
      const type = answered.headers.get('content-type');
      return {
        status: answered.status,
        ...(type ? { headers: { 'content-type': type } } : {}),
        body: await answered.text(),
      };
    };
    const call = `${request.method} ${request.url?.split('?')[0]}`;
    const { status, headers, body } = (await script(call, real)) ?? (await real());
    response.writeHead(status, headers).end(body);
  }

  beforeAll(async () => {
    const vendorPort = await listen(vendors);
    const port = await freePort();
    const vendorUrl = `http://localhost:${vendorPort}`;
    appUrl = `http://localhost:${port}`;
    const config = JSON.parse(readFileSync(path.join(product.state, 'site/server/wrangler.local.json'), 'utf8')) as {
      vars: Record<string, string>;
    };
    const vars = {
      ...config.vars,
      APP_URL: appUrl,
      HUBSPOT_API_BASE: vendorUrl,
      GATEWAY_BASE_URL: vendorUrl,
      SNAPSHOT_MS: '0',
      CRM_TIMEOUT_MS: '2000',
      CHARGE_TIMEOUT_MS: '2000',
    };
    writeFileSync(own, JSON.stringify({ ...config, vars }), { mode: 0o600 });
    const tail: string[] = [];
    const child = start(
      'wrangler',
      [
        ...['dev', '-c', own, '--persist-to', product.state, '--ip', 'localhost', '--port', String(port)],
        ...['--inspector-port', '0', '--show-interactive-dev-session=false', '--log-level', 'log'],
      ],
      {},
      (line) => tail.push(line),
    );
    await waitFor(`${appUrl}/robots.txt`, child, () => tail);
    // The other Worker would write to the same file at the very moment in which this one settles.
    await product.sandbox('settings', { webhook_urls: { transactions: `${vendorUrl}/lost` } });
  });
  afterAll(async () => {
    await product.sandbox('settings', { webhook_urls: { transactions: null } });
    await stopAll();
    vendors.closeAllConnections();
    vendors.close();
    rmSync(own, { force: true });
  });

  return {
    appUrl: () => appUrl,
    /** Run with vendors that follow a script; afterwards they are themselves again. */
    async during<T>(wanted: Script, work: () => Promise<T>): Promise<T> {
      script = wanted;
      try {
        return await work();
      } finally {
        script = () => undefined;
      }
    },
  };
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
