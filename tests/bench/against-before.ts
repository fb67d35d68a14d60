import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { table } from '#tests/money/report';
import { payerFields } from '#tests/support/pay-form';
import { cpuOf, runtimes } from './cpu.ts';
import { quantiles, requests } from './load.ts';
import { inSteps, seedAccount, seedContacts, seedInvoices } from './seed-lists.ts';
import { openBenchWorker } from './test-worker.ts';

/**
 * `npx node tests/bench/against-before.ts <checkout> [rounds] [invoices] [bursts]`: the CPU time of the runtime for what people do
 * most, by this checkout's Worker and by that of another one, in alternation in one run.
 */
const [before = '', rounds = '15', invoices = '20000', bursts = '8'] = process.argv.slice(2);
if (!before) throw new Error('Which checkout is to be compared with this one?');
const ROUNDS = Number(rounds);
const WARM = 2;
const PAYMENTS = 6;
const BURSTS = 1 + Number(bursts);
const AT_ONCE = 50;
const BURST = `one of ${AT_ONCE} payments at once`;
const LINKS_TO_SHOW = 20;
const BIG = 900_001;

type Opened = Pick<
  Awaited<ReturnType<typeof openBenchWorker>>,
  'url' | 'sandboxUrl' | 'payIds' | 'publicKey' | 'db'
> & {
  logIn(account: number): Promise<string>;
  /** Missing where all clinics are in one database. */
  openClinic?: (account: number) => Promise<{ db: D1Database }>;
  close(): Promise<void>;
};

async function open(name: 'before' | 'now', make: (of: { invoices: number }) => Promise<Opened>) {
  const others = new Set(runtimes());
  const worker = await make({ invoices: LINKS_TO_SHOW + (ROUNDS + WARM) * PAYMENTS + BURSTS * AT_ONCE });
  const [pid = 0] = runtimes().filter((one) => !others.has(one));
  const { db } = worker.openClinic ? await worker.openClinic(BIG) : worker;
  const count = Number(invoices);
  await db.prepare(seedAccount).bind(BIG).run();
  await inSteps(count, (from, to) => db.prepare(seedInvoices).bind(BIG, from, to).run());
  await inSteps(count / 5, (from, to) => db.prepare(seedContacts).bind(BIG, from, to).run());
  const links = worker.payIds.splice(LINKS_TO_SHOW);
  return { name, worker, pid, token: await worker.logIn(BIG), links };
}
type Own = Awaited<ReturnType<typeof open>>;

async function tokenFor({ worker }: Own): Promise<string> {
  const answer = await fetch(`${worker.sandboxUrl}/rest/v2/mobilejwt/manual`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'public-key': worker.publicKey },
    body: JSON.stringify({ card: '4111111111111111', 'exp-date': '1249', csc: '999' }),
  });
  return ((await answer.json()) as { payload: { 'mobile-jwt': { jwt: string } } }).payload['mobile-jwt'].jwt;
}

const statuses: Record<string, number> = {};
let payers = 0;
async function pay({ name, worker, links }: Own, paymentDetails: string): Promise<void> {
  const payer = payers++;
  const response = await fetch(`${worker.url}/api/invoices/takePaymentSDK/${links.pop()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': `10.1.${payer >> 8}.${payer & 255}` },
    body: JSON.stringify({ ...payerFields(), paymentDetails }),
  });
  await response.text();
  statuses[`${name} ${response.status}`] = (statuses[`${name} ${response.status}`] ?? 0) + 1;
}

const tokensFor = (own: Own, count: number) => Promise.all(Array.from({ length: count }, () => tokenFor(own)));

/** Each is done some times; answers ms of CPU for one of them. */
const works: Record<string, (own: Own) => Promise<number>> = {
  'public invoice': (own) =>
    costOf(own, 240, async () => {
      for (const id of own.worker.payIds.slice(0, 4)) await requests(`${own.worker.url}/api/invoices/${id}`, 60);
    }),
  'list of ten': (own) =>
    costOf(own, 100, () =>
      requests(`${own.worker.url}/api/invoices?size=10&sort=-hs_createdate`, 100, {
        authorization: `Bearer ${own.token}`,
      }),
    ),
  payment: async (own) => {
    const tokens = await tokensFor(own, PAYMENTS);
    return costOf(own, PAYMENTS, async () => {
      for (const token of tokens) await pay(own, token);
    });
  },
};

async function costOf({ pid }: Own, count: number, work: () => Promise<void>): Promise<number> {
  const from = cpuOf(pid);
  await work();
  return (cpuOf(pid) - from) / count / 1e6;
}

const { openBenchWorker: openBefore } = (await import(
  pathToFileURL(path.resolve(before, 'tests/bench/test-worker.ts')).href
)) as { openBenchWorker: Parameters<typeof open>[1] };
const both = [await open('before', openBefore), await open('now', openBenchWorker)];
/** Which of the two is first changes, so that a drift of the machine meets both. */
const inTurn = (round: number) => (round % 2 === 0 ? both : both.toReversed());
function note(all: Record<string, number[]>, name: string, value: number): void {
  const values = all[name] ?? [];
  all[name] = [...values, value];
}
const middle = (values: number[] | undefined) => quantiles(values ?? []).median;

const costs: Record<string, number[]> = {};
for (let round = -WARM; round < ROUNDS; round++)
  for (const [what, work] of Object.entries(works))
    for (const own of inTurn(Math.abs(round))) {
      const cost = await work(own);
      if (round >= 0) note(costs, `${what} ${own.name}`, cost);
    }

const speeds: Record<string, number[]> = {};
for (let burst = 0; burst < BURSTS; burst++)
  for (const own of inTurn(burst)) {
    const tokens = await tokensFor(own, AT_ONCE);
    const from = performance.now();
    const cost = await costOf(own, AT_ONCE, async () => {
      await Promise.all(tokens.map((token) => pay(own, token)));
    });
    if (burst === 0) continue;
    note(speeds, own.name, (AT_ONCE * 1000) / (performance.now() - from));
    note(costs, `${BURST} ${own.name}`, cost);
  }
const rows = [...Object.keys(works), BURST].map((what) => {
  const [then, now] = [middle(costs[`${what} before`]), middle(costs[`${what} now`])];
  return [`${what}: CPU`, `${then.toFixed(2)} ms`, `${now.toFixed(2)} ms`, `${(now / then).toFixed(2)}x`];
});
const [then, now] = [middle(speeds.before), middle(speeds.now)];
rows.push([
  `${AT_ONCE} payments at once`,
  `${then.toFixed(1)}/s`,
  `${now.toFixed(1)}/s`,
  `${(now / then).toFixed(2)}x`,
]);
console.log(`\n${table(['', 'before', 'now', 'now against before'], rows)}\n\nanswers: ${JSON.stringify(statuses)}`);
for (const { worker } of both) await worker.close();
