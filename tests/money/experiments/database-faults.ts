import type { D1Fault } from '../farm/knobs.ts';
import { violations, violationsNow } from '../invariants.ts';
import { becomeQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { type Figures, sized } from '../report.ts';
import { addBills, passOfCron, pay, payAll, type Till } from '../till.ts';
import { payUntilPaid } from './pay-until-paid.ts';

const SALE = '/rest/v2/mobile/transactions/sale';

const always = 99;

/** Whose write breaks: by default that of the payment itself. */
type By = 'cron' | 'payer who asks again';

/** Where D1 breaks: claiming is one batch of two statements, settling an approval one of five. */
export const databaseFaults: (D1Fault & { by?: By })[] = [
  { on: 'claim', do: 'fail-before', times: always },
  { on: 'claim', do: 'lose-reply', times: always },
  { on: 'claim', do: 'refuse', after: 1, times: always },
  { on: 'settle', do: 'fail-before', times: 1 },
  { on: 'settle', do: 'fail-before', times: always },
  { on: 'settle', do: 'lose-reply', times: 1 },
  { on: 'settle', do: 'lose-reply', times: always },
  { on: 'settle', do: 'refuse', after: 1, times: always },
  { on: 'settle', do: 'refuse', after: 2, times: always },
  { on: 'settle', do: 'refuse', after: 3, times: always },
  { on: 'settle', do: 'refuse', after: 4, times: always },
  { on: 'settle', do: 'refuse', after: 5, times: always },
  { on: 'settle', do: 'fail-before', times: always, by: 'cron' },
  { on: 'settle', do: 'lose-reply', times: always, by: 'cron' },
  { on: 'settle', do: 'refuse', after: 3, times: always, by: 'cron' },
  { on: 'settle', do: 'fail-before', times: always, by: 'payer who asks again' },
  { on: 'settle', do: 'lose-reply', times: always, by: 'payer who asks again' },
];

/** E5: D1 breaks in every way in turn, at the claim, at the settlement, and while the cron settles. */
export async function brokenDatabase(till: Till, invoices = sized(10, 2)): Promise<Figures> {
  const { farm } = till;
  await farm.sandbox('POST', 'settings', { dedupe: 'none' });
  const wrong: string[] = [];
  for (const { by, ...d1 } of databaseFaults) {
    const bills = await addBills(till, invoices);
    if (by) {
      await farm.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: invoices });
      const asked = await payAll(till, bills);
      if (by === 'cron') await passOfCron(till, 120_000, { d1 });
      else await Promise.all(asked.map(({ bill, token }) => pay(till, bill, { token, knobs: { d1 } })));
    } else {
      await payAll(till, bills, { knobs: { d1 } });
    }
    const what = `${d1.do} at ${d1.on}${d1.after ? ` after ${d1.after}` : ''}${by ? ` by the ${by}` : ''}`;
    wrong.push(...(await violationsNow(till)).map((sentence) => `${what}: ${sentence}`));
    await Promise.all(bills.filter((_, index) => index % 2 === 0).map((bill) => pay(till, bill)));
    const { bookedAfter } = await becomeQuiet(till, 1);
    if (bookedAfter === null) wrong.push(`${what}: not every charge was booked after one pass of the cron`);
    wrong.push(...(await payUntilPaid(till, bills)).map((sentence) => `${what}: ${sentence}`));
  }
  const records = await readRecords(till);
  return {
    experiment: 'E5 D1 breaks',
    size: `${databaseFaults.length} ways x ${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: '0 partial rows',
    violations: [...wrong, ...(await violations(till, records))],
  };
}
