import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { installationSql } from '../whole/expect-money.ts';

const product = useProduct();
const folder = mkdtempSync(path.join(tmpdir(), 'tillway-monitor-'));

/** The changes that a tampered edge makes between the product and the browser. */
const edge = { without: '', tags: '', patched: '', address: '' };
const HIDDEN = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection']);

const bodyOf = async (request: IncomingMessage) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

const server = createServer(async (request, response) => {
  const { method = 'GET', url = '/', headers } = request;
  const { authorization, 'content-type': type } = headers;
  const answer = await fetch(`${product.appUrl}${url}`, {
    method,
    redirect: 'manual',
    headers: { ...(authorization ? { authorization } : {}), ...(type ? { 'content-type': type } : {}) },
    ...(method === 'POST' ? { body: await bodyOf(request) } : {}),
  });
  for (const [name, value] of answer.headers)
    if (!HIDDEN.has(name) && name !== edge.without) response.setHeader(name, value);
  const isPage = answer.headers.get('content-type')?.startsWith('text/html');
  const patch = edge.patched && url.includes(edge.patched) ? ' ' : '';
  const body = Buffer.concat([Buffer.from(await answer.arrayBuffer()), Buffer.from(patch)]);
  response.writeHead(answer.status).end(isPage ? String(body).replace('</body>', `${edge.tags}</body>`) : body);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  edge.address = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  Object.assign(edge, { without: '', tags: '', patched: '' });
  await product.sandbox('settings', { script_suffix: '' });
});

/** Runs `npm run monitor` against the edge, as an operator's build service does. */
async function monitor(link: string, ...args: string[]): Promise<{ code: number | null; lines: string[] }> {
  const config = path.join(product.state, 'site/server/wrangler.local.json');
  const { vars } = JSON.parse(readFileSync(config, 'utf8')) as { vars: Record<string, string> };
  const child = spawn(process.execPath, ['scripts/monitor.ts', '--evidence', folder, ...args], {
    env: {
      ...process.env,
      APP_URL: edge.address,
      GATEWAY_BASE_URL: product.sandboxUrl,
      MONITOR_SECRET: vars.MONITOR_SECRET,
      MONITOR_LINK: link,
    },
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += String(data)));
  child.stderr.on('data', (data: Buffer) => (output += String(data)));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, lines: output.trim().split('\n') };
}

const findingsOf = (lines: string[]) =>
  lines
    .filter((line) => line.startsWith('finding '))
    .map((line) => line.split(':')[0])
    .sort();
const makeLink = async () => (await product.makeLink()).address.replace(product.appUrl, edge.address);
const openFindings = () =>
  installationSql<{ kind: string; subject: string; seen: string }>(
    product,
    `SELECT kind, subject, seen FROM monitor_findings WHERE source = 'outside' AND closed_at IS NULL ORDER BY kind`,
  );

describe('the tamper monitor in a browser', () => {
  it('finds nothing on an unchanged page in repeated checks, and leaves no pay link in the evidence', async () => {
    const link = await makeLink();
    const { code, lines } = await monitor(link, '--times', '3');
    expect([code, findingsOf(lines), lines.at(-1)]).toEqual([0, [], expect.stringMatching(/^3 checks, 0 findings/)]);
    expect(await openFindings()).toEqual([]);
    const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
    expect(files).toHaveLength(3);
    const { seen } = JSON.parse(files[0] ?? '') as { seen: { scripts: object[]; inline: string[] } };
    expect([seen.scripts.length, seen.inline.length]).toEqual([7, 3]);
    for (const text of files) expect(text).not.toContain(link.split('/').at(-1));
  });

  it('reports one changed provider byte, a dropped header and an added script: three lines, three rows, exit 1', async () => {
    const link = await makeLink();
    await product.sandbox('settings', { script_suffix: ';' });
    edge.without = 'x-frame-options';
    edge.tags = '<script src="https://skimmer.example/s.js"></script>';
    const { code, lines } = await monitor(link);
    expect([code, findingsOf(lines)]).toEqual([
      1,
      [
        'finding header-missing x-frame-options',
        'finding script-changed {provider}/js-sdk/js/clearent-host.js',
        'finding script-not-listed https',
      ],
    ]);
    const rows = await openFindings();
    expect(rows.map(({ kind }) => kind)).toEqual(['header-missing', 'script-changed', 'script-not-listed']);

    // A person reviews the new version; accepting it requires a reason.
    const sha256 = rows.find(({ kind }) => kind === 'script-changed')?.seen ?? '';
    const refusal = await monitor(link, '--approve', sha256, '--by', 'Dana Reyes');
    expect(refusal).toEqual({ code: 1, lines: ['monitor: Give a reason of 10 to 500 characters.'] });
    const person = ['--by', 'Dana Reyes', '--reason', 'One semicolon at the end of the file.'];
    const approval = await monitor(link, '--approve', sha256, ...person);
    expect(approval).toEqual({ code: 0, lines: ['approved by Dana Reyes; findings closed: 1'] });
    Object.assign(edge, { without: '', tags: '', patched: '' });
    expect((await monitor(link)).code).toBe(0);
    expect(await openFindings()).toEqual([]);
  });

  it('reports an altered file of our own, an inline script, a frame and a missing policy', async () => {
    const link = await makeLink();
    edge.without = 'content-security-policy';
    edge.tags = "<script>document.title = 'seen'</script><iframe></iframe>";
    edge.patched = '/_astro/PayPage.';
    const { code, lines } = await monitor(link);
    expect([code, findingsOf(lines)]).toEqual([
      1,
      [
        'finding file-differs /_astro/PayPage.*.js',
        'finding frame-not-listed about',
        'finding header-missing content-security-policy',
        expect.stringMatching(/^finding script-not-listed sha256-/),
      ],
    ]);
  });

  it('reports a page without a form as not shown', async () => {
    const { code, lines } = await monitor(`${edge.address}/make/payment/none`);
    expect([code, findingsOf(lines)]).toEqual([1, ['finding page-not-shown /make/payment/{payId}']]);
  });
});
