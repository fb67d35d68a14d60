import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testSettings } from '#tests/support/unit/settings';
import { bundleOf } from './bundle.ts';
import { cpuOf, listRuntimes } from './cpu.ts';
import { quantiles, sendRequests } from './load.ts';
import { isFull, printFigures, recordFigure } from './report.ts';

/**
 * CPU time of the Workers runtime itself, not answers per second, because the client uses more of the machine than
 * such a route. Linux reports it per process in nanoseconds.
 */
/** Many short rounds in alternation, so that a pause of the runtime hits few of them and the median stays stable. */
const ROUNDS = isFull ? 121 : 61;
const REQUESTS = 1500;

/** As in production, each request uses the product's own host name. */
const HOST = { host: '127.0.0.1:8787' };

let mf: Miniflare;
let lines: string[] = [];
const urls = { product: '', bare: '' };
let pid = 0;

beforeAll(async () => {
  const worker = async (name: keyof typeof urls, entry: string) => ({
    name,
    modules: true,
    script: await bundleOf(entry),
    compatibilityDate: '2026-08-01',
    compatibilityFlags: ['nodejs_compat'],
    d1Databases: { INSTALLATION: 'installation' },
    ...(name === 'product' ? { durableObjects: { CLINICS: { className: 'Clinic', useSQLite: true } } } : {}),
    r2Buckets: { MEDIA: 'media', AUDIT_ANCHORS: 'anchors', BACKUPS: 'backups' },
    bindings: { ...testSettings('http://127.0.0.1:9'), APP_URL: `http://${HOST.host}` },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  });
  const earlierRuntimes = new Set(listRuntimes());
  mf = new Miniflare(
    convertV4MiniflareOptions({
      handleStructuredLogs: ({ message }) => void lines.push(message),
      workers: [await worker('product', '../../worker/index.ts'), await worker('bare', './bare-entry.ts')],
    }),
  );
  await mf.ready;
  for (const name of ['product', 'bare'] as const) urls[name] = `${(await mf.unsafeGetDirectURL(name)).origin}/app_url`;
  [pid = 0] = listRuntimes().filter((candidate) => !earlierRuntimes.has(candidate));
});
afterAll(() => mf.dispose());
printFigures();

async function costOf(url: string, count: number): Promise<number> {
  const from = cpuOf(pid);
  await sendRequests(url, count, HOST);
  return (cpuOf(pid) - from) / count;
}

describe.skipIf(process.platform !== 'linux')('a no-op request', () => {
  it('costs at most 1.5 times the CPU time of bare Hono', async () => {
    const line = async (url: string) => {
      lines = [];
      await sendRequests(url, 1, HOST);
      await expect.poll(() => lines).toHaveLength(1);
      return { ...(JSON.parse(lines[0] ?? '') as object), requestId: '', ms: 0 };
    };
    expect(await line(urls.product)).toEqual(await line(urls.bare));

    for (const url of Object.values(urls)) await sendRequests(url, REQUESTS, HOST);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const costBefore = await costOf(urls.bare, REQUESTS / 2);
      const product = await costOf(urls.product, REQUESTS);
      const after = await costOf(urls.bare, REQUESTS / 2);
      ratios.push((product * 2) / (costBefore + after));
      lines = [];
    }
    const { median, q10, q90 } = quantiles(ratios);
    const text = `${median.toFixed(2)}x (q10 ${q10.toFixed(2)}, q90 ${q90.toFixed(2)}, ${ROUNDS} rounds)`;
    recordFigure('CPU of a trivial route against bare Hono', text, '<= 1.50x', median <= 1.5);
    expect(median).toBeLessThanOrEqual(1.5);
  });
});
