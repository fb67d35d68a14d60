import { randomFrom } from '#tests/support/random';
import type { Knobs } from '../cluster/knobs.ts';
import { violations } from '../invariants.ts';
import { runUntilQuiet } from '../quiet.ts';
import { dedupeKey, extraCharges, lostCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { addBills, type Bill, cardToken, DECLINED_CARD, newTestWorker, pay, type TestWorker } from '../test-worker.ts';

const SIMULATED_MS = 600_000;
const BURST = 10;
/** One honest payer in this many has a first card that is declined, and then uses a second one. */
const SECOND_CARD = 20;
const LIMITS = { perLink: 5, perAddress: 10 };
const SEED = 20_261_123;

type Size = { cards: number; links: number; addresses: number; honest: number };

/** Every authorisation request that reached the gateway, including declined ones. */
async function authorisations({ clusterWorld, bills }: TestWorker) {
  const keys = new Set(bills.map(dedupeKey));
  const all = await clusterWorld.sandbox<{ invoice: string; order_id: string; type: string }[]>('GET', 'charges');
  return all.filter(({ invoice, type }) => keys.has(invoice) && type === 'SALE');
}

const tally = (keys: string[]) => [...new Set(keys)].map((key) => keys.filter((other) => other === key).length);
const beyond = (counts: number[], limit: number) => counts.reduce((sum, n) => sum + Math.max(0, n - limit), 0);

/** Pays as an honest payer, with a second card if the first one is declined. Returns true if paid. */
async function payHonestly(testWorker: TestWorker, bill: Bill, hasBadCard: boolean, from: string): Promise<boolean> {
  if (hasBadCard) await pay(testWorker, bill, { token: await cardToken(testWorker, DECLINED_CARD), from });
  return (await pay(testWorker, bill, { from })).status === 200;
}

/**
 * E14: stolen cards are tried on pay links of one merchant from some addresses, in bursts, within ten simulated
 * minutes, while honest payers pay its other invoices. The control has no velocity limits.
 */
export async function cardTester(
  testWorker: TestWorker,
  size: Size = { cards: sized(1000, 120), links: sized(50, 10), addresses: sized(20, 4), honest: sized(200, 20) },
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const { pick } = randomFrom(SEED);
  const honest = newTestWorker(clusterWorld);
  const control = newTestWorker(clusterWorld);
  await addBills(testWorker, size.links);
  await addBills(honest, size.honest);
  const addresses = Array.from({ length: size.addresses }, (_, n) => `203.0.113.${n + 1}`);
  const bursts = Math.ceil(size.cards / BURST);

  const tryCard = async (knobs: Knobs = {}, target = testWorker) =>
    pay(target, pick(target.bills), {
      token: await cardToken(target, DECLINED_CARD),
      from: pick(addresses),
      knobs,
    });
  let paid = 0;
  for (let burst = 0, served = 0; burst < bursts; burst++) {
    const due = Math.floor(((burst + 1) * size.honest) / bursts);
    const payers = honest.bills.slice(served, due).map((bill, index) => {
      const n = served + index;
      return payHonestly(honest, bill, n % SECOND_CARD === SECOND_CARD - 1, `198.51.${n >> 8}.${n & 255}`);
    });
    const [results] = await Promise.all([Promise.all(payers), ...Array.from({ length: BURST }, () => tryCard())]);
    paid += results.filter(Boolean).length;
    served = due;
    clusterWorld.clockMs += SIMULATED_MS / bursts;
  }

  const reached = await authorisations(testWorker);
  const addressOf = new Map(
    (await clusterWorld.sql<{ id: string; ip_key: string }>('SELECT id, ip_key FROM payment_attempts')).map((row) => [
      row.id,
      row.ip_key,
    ]),
  );
  const perLink = tally(reached.map(({ invoice }) => invoice));
  const perAddress = tally(reached.map(({ order_id }) => addressOf.get(order_id) ?? ''));

  await addBills(control, 5);
  const settings = { DECLINES_PER_LINK_HOUR: 10_000, DECLINES_PER_IP_HOUR: 10_000, BREAKER_MIN_ATTEMPTS: 1_000_000 };
  for (let tries = 0; tries < 60; tries += BURST)
    await Promise.all(Array.from({ length: BURST }, () => tryCard({ settings }, control)));
  const unlimited = tally((await authorisations(control)).map(({ invoice }) => invoice));

  await runUntilQuiet(honest);
  const records = await readRecords(honest);
  const isHonestServed = paid >= size.honest * 0.99;
  return {
    experiment: 'E14 a card tester among honest payers',
    size: `${size.cards} cards, ${size.links} links, ${size.addresses} addresses, ${size.honest} payers`,
    extraCharges:
      extraCharges(records.charges) + beyond(perLink, LIMITS.perLink) + beyond(perAddress, LIMITS.perAddress),
    lostCharges: lostCharges(records),
    control: String(beyond(unlimited, LIMITS.perLink)),
    note: `${reached.length} reached the gateway, at most ${Math.max(0, ...perLink)} of a link and ${Math.max(0, ...perAddress)} of an address; tester ${countOf(testWorker.answers.map(({ status }) => status))}; ${paid} of ${size.honest} honest payers paid, ${countOf(honest.answers.map(({ status }) => status))}`,
    violations: [
      ...(isHonestServed ? [] : [`only ${paid} of ${size.honest} honest payers could pay`]),
      ...(await violations(honest, records)),
    ],
  };
}
