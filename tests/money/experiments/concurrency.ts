import { violations } from '../invariants.ts';
import { runUntilQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, naiveKey, readCharges, readRecords, saleCalls } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import {
  type Answer,
  addBills,
  cardToken,
  DECLINED_CARD,
  newTestWorker,
  pay,
  type TestWorker,
} from '../test-worker.ts';

/** Slows the gateway so that concurrent requests really overlap. */
const slowGateway = (testWorker: TestWorker, calls: number, ms = 60) =>
  testWorker.clusterWorld.sandbox('POST', 'faults', { on: 'gateway', do: 'delay', times: calls, ms });

const times = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);

export type E1Size = { invoices: number; submits: number };

/** E1: many payers press Pay on the same invoice at the same moment. The gateway's own duplicate check is off. */
export async function concurrentSubmits(
  testWorker: TestWorker,
  size: E1Size = { invoices: sized(20, 4), submits: 25 },
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const { invoices, submits } = size;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBills(testWorker, invoices);
  const tokens = await Promise.all(
    bills.flatMap((bill) => times(submits, async () => ({ bill, token: await cardToken(testWorker) }))),
  );
  await slowGateway(testWorker, invoices * submits);
  await Promise.all(tokens.map(({ bill, token }) => pay(testWorker, bill, { token })));
  await clusterWorld.sandbox('DELETE', 'faults');
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: 'E1 submits at once, different cards',
    size: `${invoices} invoices x ${submits}`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: String(await naiveControl(testWorker, size)),
    note: `answers ${countOf(testWorker.answers.map(({ status }) => status))}`,
    violations: await violations(testWorker, records),
  };
}

/** Puts the same load on the naive payment, which checks, charges, and then records. Returns its extra charges. */
async function naiveControl(testWorker: TestWorker, { invoices, submits }: E1Size): Promise<number> {
  const { clusterWorld } = testWorker;
  const bills = await addBills(newTestWorker(clusterWorld), invoices);
  const tokens = await Promise.all(
    bills.flatMap((bill) => times(submits, async () => ({ bill, token: await cardToken(testWorker) }))),
  );
  await slowGateway(testWorker, invoices * submits);
  await Promise.all(tokens.map(({ bill, token }) => clusterWorld.steer('naive', { payId: bill.payId, token })));
  await clusterWorld.sandbox('DELETE', 'faults');
  return extraCharges(await readCharges(clusterWorld, bills, naiveKey));
}

/** E1b: payers submit the same card token repeatedly, at once and later; some tokens are declined. */
export async function sameToken(
  testWorker: TestWorker,
  { tokens, submits }: { tokens: number; submits: number } = { tokens: sized(10, 5), submits: sized(50, 20) },
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBills(testWorker, tokens);
  const cards = await Promise.all(
    bills.map(async (bill, index) => ({
      bill,
      token: await cardToken(testWorker, index % 5 === 4 ? DECLINED_CARD : undefined),
    })),
  );
  const callsBefore = await saleCalls(clusterWorld);
  await slowGateway(testWorker, tokens * submits);
  await Promise.all(cards.flatMap((card) => times(submits, () => pay(testWorker, card.bill, { token: card.token }))));
  await clusterWorld.sandbox('DELETE', 'faults');
  await runUntilQuiet(testWorker);
  const later = await Promise.all(
    cards.flatMap((card) => times(3, () => pay(testWorker, card.bill, { token: card.token }))),
  );
  const calls = (await saleCalls(clusterWorld)) - callsBefore;
  const records = await readRecords(testWorker);
  const errors = calls === tokens ? [] : [`${calls} sales were sent for ${tokens} tokens`];
  return {
    experiment: 'E1b the same token',
    size: `${tokens} tokens x ${submits}`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `${calls} calls to the gateway`,
    violations: [...errors, ...changedAnswers(testWorker, later), ...(await violations(testWorker, records))],
  };
}

/** Errors for the tokens that no longer get their first final answer. */
function changedAnswers(testWorker: TestWorker, later: Answer[]): string[] {
  return later.flatMap((last) => {
    const final = testWorker.answers.filter(
      ({ token, status }) => token === last.token && status !== 202 && status !== 0,
    );
    const isSame = last.status !== 202 && final.every(({ text }) => text === last.text);
    return isSame
      ? []
      : [
          `${last.bill.number}: the same token was answered ${[...new Set(final.map(({ text }) => text))].join(' and ')}`,
        ];
  });
}
