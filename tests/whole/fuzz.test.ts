import net from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { terminals } from '#sandbox/credentials';
import { bearer } from '#tests/support/consent';
import { logInWriter } from '#tests/support/content/writer';
import { useProduct } from '#tests/support/product/product';
import { listenTo, parseLog } from '#tests/support/product/product-log';
import { randomFrom } from '#tests/support/random';
import { supportViews } from '#worker/data/schema/operators';
import { accounts } from '#worker/data/schema/schema';
import { type Case, drawCase, patterns, type World } from './fuzz-cases.ts';
import { logIn } from './merchant.ts';

const product = useProduct();
/** FUZZ_CASES=20000 runs more cases than the complete run has time for. */
const CASES = Number(process.env.FUZZ_CASES ?? (process.env.SIZE === 'full' ? 2000 : 700));
const timeout = Math.max(60_000, CASES * 60);
const SEED = 20_261_122;
const CONNECTIONS = 8;

/** A case may grant a support view, or hide the bills' line items; later tests share this product. */
afterAll(async () => {
  const { db } = product.deps();
  await db.delete(supportViews);
  await db.update(accounts).set({ showsLines: true });
});

const lineOf = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

async function loadWorld(): Promise<World> {
  const [merchant, foreign] = [await logIn(product.appUrl, 0), await logIn(product.appUrl, 2)];
  const writer = await logInWriter(product.appUrl, product.output);
  const [open, paid] = [await product.makeLink(), await product.makeLink()];
  const reply = await product.pay(paid.payId, await product.form());
  const { receiptUrl } = (await reply.json()) as { receiptUrl: string };
  // Other tests have charges at this gateway that are not in these books. A case may start a comparison, and each
  // difference is reported only once, so it is reported now.
  const compared = await fetch(`${product.appUrl}/api/matching`, { method: 'POST', headers: bearer(merchant.token) });
  expect(compared.status).toBe(200);
  const browser = lineOf({ ...bearer(merchant.token), ...merchant.jar.header });
  return {
    host: new URL(product.appUrl).host,
    ids: [open.payId, paid.payId, open.invoiceId, receiptUrl.split('/').at(-1) ?? '', terminals[0]?.terminalId ?? ''],
    sessions: {
      nobody: [],
      'a merchant': lineOf(bearer(merchant.token)),
      'a merchant in a browser': [...browser, `Origin: ${product.appUrl}`, 'Sec-Fetch-Site: same-origin'],
      'another merchant': lineOf(bearer(foreign.token)),
      'a merchant’s pages': lineOf(merchant.jar.header),
      'a writer': lineOf(bearer(writer.token)),
    },
  };
}

/** The status of the response; 0 if the connection ended without one. */
function send({ pieces, isAborted }: Case): Promise<number> {
  const { hostname, port } = new URL(product.appUrl);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname);
    socket.setTimeout(30_000, () => socket.destroy(new Error('no answer')));
    socket.on('connect', () => {
      for (const [at, piece] of pieces.entries()) {
        const isLast = at === pieces.length - 1;
        socket.write(piece, isLast && isAborted ? () => socket.destroy() : undefined);
      }
    });
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
      if (status === undefined) return;
      // The server may keep the connection open.
      socket.destroy();
      resolve(Number(status));
    });
    // A server that refuses half a request closes the connection, which causes a read or write error.
    const isHangUp = ({ code = '' }: NodeJS.ErrnoException) => code === 'ECONNRESET' || code === 'EPIPE';
    socket.on('error', (cause) => (isHangUp(cause) ? resolve(0) : reject(cause)));
    socket.on('close', () => resolve(0));
  });
}

/**
 * True if the built site's file server handles this address: its responses lack the Worker's request ID. It refuses a
 * method without reading the body, and the connection's reset can arrive before its response.
 */
async function isFile({ pieces }: Case): Promise<boolean> {
  const target = pieces[0]?.toString('latin1').split(' ')[1] ?? '';
  const answer = await fetch(new URL(target, product.appUrl), { redirect: 'manual' });
  await answer.arrayBuffer();
  return !answer.headers.has('x-request-id');
}

describe('any request over the wire', () => {
  it(`gets an answer without a failure or an alert: ${CASES} cases over all routes`, { timeout }, async () => {
    const world = await loadWorld();
    const log = listenTo(product);
    const random = randomFrom(SEED);
    const routes = patterns();
    const failed: string[] = [];
    const counts = new Map<number, number>();
    let count = 0;
    const connection = async () => {
      // Drawn one by one, in the order of the seed: all at once would need too much memory.
      while (count < CASES) {
        count += 1;
        const testCase = drawCase(random, world, routes);
        const status = await send(testCase);
        counts.set(status, (counts.get(status) ?? 0) + 1);
        const isUnanswered = status === 0 && !testCase.isAborted && !(await isFile(testCase));
        if (status >= 500 || isUnanswered) failed.push(`${status}: ${testCase.name}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    const lines = parseLog(await log.lines());
    const alerts = lines.filter(({ level }) => level === 'alert');
    const failures = [...counts].reduce((sum, [status, n]) => sum + (status >= 500 ? n : 0), 0);
    console.log(`seed ${SEED}, ${CASES} cases:`, Object.fromEntries([...counts].sort(([a], [b]) => a - b)));
    console.log(`${CASES} cases, ${failures} answers 5xx, ${alerts.length} alert lines`);

    // Joined, because the message would truncate a list.
    expect(failed.join('\n')).toBe('');
    expect(alerts).toEqual([]);
    // The cases reached the product in all areas, with a session and without.
    const requests = lines.filter(({ event }) => event === 'request');
    expect(requests.length).toBeGreaterThan(CASES * 0.8);
    expect(new Set(requests.map(({ route }) => route)).size).toBeGreaterThan(80);
    for (const status of [200, 303, 400, 401, 404, 405, 413, 415])
      expect(counts.get(status), String(status)).toBeTruthy();
  });
});
