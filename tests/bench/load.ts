import { Agent, request } from 'node:http';

const CONNECTIONS = 8;

type Headers = Record<string, string>;

/**
 * Answers per second of these addresses over `ms` milliseconds, on eight connections. Throws on any answer but 200.
 */
export async function measureThroughput(urls: string[], ms: number, headers: Headers = {}): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const end = performance.now() + ms;
  let count = 0;
  const worker = async (first: number) => {
    for (let turn = first; performance.now() < end; turn++) {
      await get(urls[turn % urls.length] ?? '', agent, headers);
      count++;
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => worker(index)));
  const perSecond = (count * 1000) / (performance.now() - from);
  agent.destroy();
  return perSecond;
}

/** Sends `count` requests to one address, eight at a time. Throws on any answer but 200. */
export async function sendRequests(url: string, count: number, headers: Headers = {}): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let remaining = count;
  const worker = async () => {
    while (remaining-- > 0) await get(url, agent, headers);
  };
  await Promise.all(Array.from({ length: Math.min(CONNECTIONS, count) }, worker));
  agent.destroy();
}

const get = (url: string, agent: Agent, headers: Headers): Promise<void> =>
  new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      response.resume();
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`)),
      );
    })
      .once('error', reject)
      .end();
  });

export type Ratio = { median: number; q10: number; q90: number; rounds: number };

/**
 * The speed of a route against a base, in rounds of base, route, base. Drops a round whose two bases differ by more
 * than a quarter, because the machine was busy.
 */
export async function ratioTo(
  base: string,
  urls: string[],
  { rounds, ms, headers = {} }: { rounds: number; ms: number; headers?: Headers },
): Promise<Ratio> {
  const ratios: number[] = [];
  for (let tries = 0; ratios.length < rounds && tries < rounds * 4; tries++) {
    const before = await measureThroughput([base], ms);
    const route = await measureThroughput(urls, ms, headers);
    const after = await measureThroughput([base], ms);
    if (Math.abs(before - after) / Math.max(before, after) <= 0.25) ratios.push((route * 2) / (before + after));
  }
  return { ...quantiles(ratios), rounds: ratios.length };
}

export function quantiles(values: number[]): { median: number; q10: number; q90: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), q10: at(0.1), q90: at(0.9) };
}
