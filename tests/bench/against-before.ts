import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { table } from '#tests/money/report';
import { payerFields } from '#tests/support/pay-form';
import { cpuOf, listRuntimes } from './cpu.ts';
import { quantiles, sendRequests } from './load.ts';
import { inSteps, seedAccount, seedContacts, seedInvoices } from './seed-lists.ts';
import { openBenchWorker } from './test-worker.ts';

/**
 * `npx node tests/bench/against-before.ts <checkout> [rounds] [invoices] [bursts]`: compares the runtime's CPU time for
 * the most frequent actions between this checkout's Worker and that of another checkout, in alternation in one run.
 */
const [before = '', rounds = '15', invoices = '20000', bursts = '8'] = process.argv.slice(2);
if (!before) throw new Error('give the checkout to compare with this one');
const ROUNDS = Number(rounds);
const WARM = 2;
const PAYMENTS = 6;
const BURSTS = 1 + Number(bursts);
const AT_ONCE = 50;
const BURST = `one of ${AT_ONCE} payments at once`;
const LINKS_TO_SHOW = 20;
const BIG = 900_001;

type ComparedWorker = Pick<
  Awaited<ReturnType<typeof openBenchWorker>>,
  'url' | 'sandboxUrl' | 'payIds' | 'publicKey' | 'db'
> & {
  logIn(account: number): Promise<string>;
  /** Missing where all clinics are in one database. */
  openClinic?: (account: number) => Promise<{ db: D1Database }>;
  close(): Promise<void>;
};

async function open(name: 'before' | 'now', make: (options: { invoices: number }) => Promise<ComparedWorker>) {
  const earlier = new Set(listRuntimes());
  const worker = await make({ invoices: LINKS_TO_SHOW + (ROUNDS + WARM) * PAYMENTS + BURSTS * AT_ONCE });
  const [pid = 0] = listRuntimes().filter((candidate) => !earlier.has(candidate));
  const { db } = worker.openClinic ? await worker.openClinic(BIG) : worker;
  const count = Number(invoices);
  await db.prepare(seedAccount).bind(BIG).run();
  await inSteps(count, (from, to) => db.prepare(seedInvoices).bind(BIG, from, to).run());
  await inSteps(count / 5, (from, to) => db.prepare(seedContacts).bind(BIG, from, to).run());
  const links = worker.payIds.splice(LINKS_TO_SHOW);
  return { name, worker, pid, token: await worker.logIn(BIG), links };
}
type Side = Awaited<ReturnType<typeof open>>;

async function tokenFor({ worker }: Side): Promise<string> {
  const answer = await fetch(`${worker.sandboxUrl}/rest/v2/mobilejwt/manual`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'public-key': worker.publicKey },
    body: JSON.stringify({ card: '4111111111111111', 'exp-date': '1249', csc: '999' }),
  });
  return ((await answer.json()) as { payload: { 'mobile-jwt': { jwt: string } } }).payload['mobile-jwt'].jwt;
}

const statuses: Record<string, number> = {};
let payers = 0;
async function pay({ name, worker, links }: Side, paymentDetails: string): Promise<void> {
  const payer = payers++;
  const response = await fetch(`${worker.url}/api/invoices/takePaymentSDK/${links.pop()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': `10.1.${payer >> 8}.${payer & 255}` },
    body: JSON.stringify({ ...payerFields(), paymentDetails }),
  });
  await response.text();
  statuses[`${name} ${response.status}`] = (statuses[`${name} ${response.status}`] ?? 0) + 1;
}

const tokensFor = (side: Side, count: number) => Promise.all(Array.from({ length: count }, () => tokenFor(side)));

/** Performs each action several times; returns the CPU time of one (ms). */
const actions: Record<string, (side: Side) => Promise<number>> = {
  'public invoice': (side) =>
    costOf(side, 240, async () => {
      for (const id of side.worker.payIds.slice(0, 4)) await sendRequests(`${side.worker.url}/api/invoices/${id}`, 60);
    }),
  'list of ten': (side) =>
    costOf(side, 100, () =>
      sendRequests(`${side.worker.url}/api/invoices?size=10&sort=-hs_createdate`, 100, {
        authorization: `Bearer ${side.token}`,
      }),
    ),
  payment: async (side) => {
    const tokens = await tokensFor(side, PAYMENTS);
    return costOf(side, PAYMENTS, async () => {
      for (const token of tokens) await pay(side, token);
    });
  },
};

async function costOf({ pid }: Side, count: number, work: () => Promise<void>): Promise<number> {
  const from = cpuOf(pid);
  await work();
  return (cpuOf(pid) - from) / count / 1e6;
}

const { openBenchWorker: openBefore } = (await import(
  pathToFileURL(path.resolve(before, 'tests/bench/test-worker.ts')).href
)) as { openBenchWorker: Parameters<typeof open>[1] };
const sides = [await open('before', openBefore), await open('now', openBenchWorker)];
/** Alternates the order, so that a drift of the machine affects both. */
const inAlternation = (round: number) => (round % 2 === 0 ? sides : sides.toReversed());
function record(all: Record<string, number[]>, name: string, value: number): void {
  const values = all[name] ?? [];
  all[name] = [...values, value];
}
const medianOf = (values: number[] | undefined) => quantiles(values ?? []).median;

const costs: Record<string, number[]> = {};
for (let round = -WARM; round < ROUNDS; round++)
  for (const [action, work] of Object.entries(actions))
    for (const side of inAlternation(Math.abs(round))) {
      const cost = await work(side);
      if (round >= 0) record(costs, `${action} ${side.name}`, cost);
    }

const speeds: Record<string, number[]> = {};
for (let burst = 0; burst < BURSTS; burst++)
  for (const side of inAlternation(burst)) {
    const tokens = await tokensFor(side, AT_ONCE);
    const from = performance.now();
    const cost = await costOf(side, AT_ONCE, async () => {
      await Promise.all(tokens.map((token) => pay(side, token)));
    });
    if (burst === 0) continue;
    record(speeds, side.name, (AT_ONCE * 1000) / (performance.now() - from));
    record(costs, `${BURST} ${side.name}`, cost);
  }
const rows = [...Object.keys(actions), BURST].map((action) => {
  const [then, now] = [medianOf(costs[`${action} before`]), medianOf(costs[`${action} now`])];
  return [`${action}: CPU`, `${then.toFixed(2)} ms`, `${now.toFixed(2)} ms`, `${(now / then).toFixed(2)}x`];
});
const [then, now] = [medianOf(speeds.before), medianOf(speeds.now)];
rows.push([
  `${AT_ONCE} payments at once`,
  `${then.toFixed(1)}/s`,
  `${now.toFixed(1)}/s`,
  `${(now / then).toFixed(2)}x`,
]);
console.log(`\n${table(['', 'before', 'now', 'now against before'], rows)}\n\nanswers: ${JSON.stringify(statuses)}`);
for (const { worker } of sides) await worker.close();
