import { violations } from '../invariants.ts';
import { becomeQuiet } from '../quiet.ts';
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

/** A slow gateway, so that concurrent requests really overlap. */
const slowGateway = (testWorker: TestWorker, calls: number, ms = 60) =>
  testWorker.clusterWorld.sandbox('POST', 'faults', { on: 'gateway', do: 'delay', times: calls, ms });

const times = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);

export type E1Size = { invoices: number; submits: number };

/** E1: many payers press Pay on the same invoice at the same moment. The gateway's own duplicate check is off. */
export async function manyAtOnce(
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
  await becomeQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: 'E1 submits at once, different cards',
    size: `${invoices} invoices x ${submits}`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: String(await naiveControl(testWorker, size)),
    note: `answers ${countOf(testWorker.answers.map(({ status }) => status))}`,
    violations: await violations(testWorker, records),
  };
}

/** The same load on a payment that checks, charges, and then notes. */
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

/** E1b: the same card token again and again, at once and later, approved and declined ones. */
export async function sameToken(
  testWorker: TestWorker,
  { tokens, submits }: { tokens: number; submits: number } = { tokens: sized(10, 5), submits: sized(50, 20) },
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBills(testWorker, tokens);
  const made = await Promise.all(
    bills.map(async (bill, index) => ({
      bill,
      token: await cardToken(testWorker, index % 5 === 4 ? DECLINED_CARD : undefined),
    })),
  );
  const before = await saleCalls(clusterWorld);
  await slowGateway(testWorker, tokens * submits);
  await Promise.all(made.flatMap((one) => times(submits, () => pay(testWorker, one.bill, { token: one.token }))));
  await clusterWorld.sandbox('DELETE', 'faults');
  await becomeQuiet(testWorker);
  const later = await Promise.all(
    made.flatMap((one) => times(3, () => pay(testWorker, one.bill, { token: one.token }))),
  );
  const calls = (await saleCalls(clusterWorld)) - before;
  const records = await readRecords(testWorker);
  const wrong = calls === tokens ? [] : [`${calls} sales were sent for ${tokens} tokens`];
  return {
    experiment: 'E1b the same token',
    size: `${tokens} tokens x ${submits}`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `${calls} calls to the gateway`,
    violations: [...wrong, ...differing(testWorker, later), ...(await violations(testWorker, records))],
  };
}

/** Every token must still get its first final answer. */
function differing(testWorker: TestWorker, later: Answer[]): string[] {
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
