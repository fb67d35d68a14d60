import { violations } from '../invariants.ts';
import { becomeQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readCharges, readRecords, saleCalls } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { type Answer, addBills, cardToken, DECLINED_CARD, newTill, pay, type Till } from '../till.ts';

/** A gateway that takes its time: what runs at once really overlaps. */
const slowGateway = (till: Till, calls: number, ms = 60) =>
  till.farm.sandbox('POST', 'faults', { on: 'gateway', do: 'delay', times: calls, ms });

const times = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);

export type E1Size = { invoices: number; submits: number };

/** E1: many payers press the button on the same invoice at the same moment. The gateway's own duplicate check is off. */
export async function manyAtOnce(till: Till, size: E1Size = { invoices: sized(20, 4), submits: 25 }): Promise<Figures> {
  const { farm } = till;
  const { invoices, submits } = size;
  await farm.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBills(till, invoices);
  const tokens = await Promise.all(
    bills.flatMap((bill) => times(submits, async () => ({ bill, token: await cardToken(till) }))),
  );
  await slowGateway(till, invoices * submits);
  await Promise.all(tokens.map(({ bill, token }) => pay(till, bill, { token })));
  await farm.sandbox('DELETE', 'faults');
  await becomeQuiet(till);
  const records = await readRecords(till);
  return {
    experiment: 'E1 submits at once, different cards',
    size: `${invoices} invoices x ${submits}`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: String(await naiveControl(till, size)),
    note: `answers ${countOf(till.answers.map(({ status }) => status))}`,
    violations: await violations(till, records),
  };
}

/** The same crowd on a payment that looks, charges, and then notes. */
async function naiveControl(till: Till, { invoices, submits }: E1Size): Promise<number> {
  const { farm } = till;
  const bills = await addBills(newTill(farm), invoices);
  const tokens = await Promise.all(
    bills.flatMap((bill) => times(submits, async () => ({ bill, token: await cardToken(till) }))),
  );
  await slowGateway(till, invoices * submits);
  await Promise.all(tokens.map(({ bill, token }) => farm.steer('naive', { payId: bill.payId, token })));
  await farm.sandbox('DELETE', 'faults');
  return extraCharges(await readCharges(farm, bills, ({ payId }) => `naive-${payId}`));
}

/** E1b: one and the same card token again and again, at once and later, approved ones and declined ones. */
export async function sameToken(
  till: Till,
  { tokens, submits }: { tokens: number; submits: number } = { tokens: sized(10, 5), submits: sized(50, 20) },
): Promise<Figures> {
  const { farm } = till;
  await farm.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBills(till, tokens);
  const made = await Promise.all(
    bills.map(async (bill, index) => ({
      bill,
      token: await cardToken(till, index % 5 === 4 ? DECLINED_CARD : undefined),
    })),
  );
  const before = await saleCalls(farm);
  await slowGateway(till, tokens * submits);
  await Promise.all(made.flatMap((one) => times(submits, () => pay(till, one.bill, { token: one.token }))));
  await farm.sandbox('DELETE', 'faults');
  await becomeQuiet(till);
  const later = await Promise.all(made.flatMap((one) => times(3, () => pay(till, one.bill, { token: one.token }))));
  const calls = (await saleCalls(farm)) - before;
  const records = await readRecords(till);
  const wrong = calls === tokens ? [] : [`${calls} sales were sent for ${tokens} tokens`];
  return {
    experiment: 'E1b the same token',
    size: `${tokens} tokens x ${submits}`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `${calls} calls to the gateway`,
    violations: [...wrong, ...differing(till, later), ...(await violations(till, records))],
  };
}

/** Every final answer that a token ever got must be the one that it still gets. */
function differing(till: Till, later: Answer[]): string[] {
  return later.flatMap((last) => {
    const final = till.answers.filter(({ token, status }) => token === last.token && status !== 202 && status !== 0);
    const isSame = last.status !== 202 && final.every(({ text }) => text === last.text);
    return isSame
      ? []
      : [
          `${last.bill.number}: the same token was answered ${[...new Set(final.map(({ text }) => text))].join(' and ')}`,
        ];
  });
}
