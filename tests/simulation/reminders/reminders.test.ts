import { expect, test } from 'vitest';
import { complete } from '#tests/support/complete-only';
import { judge } from './judge.ts';
import { runMonth } from './month.ts';

const COUNT = complete ? 10_000 : 250;

test('reminders break no rule in thirty days with a clock change, two clock stops and a silent CRM', async () => {
  const month = await runMonth(COUNT, 20_260_308);
  const { states, mails, bills } = month;
  console.log(`reminders of ${bills.length} invoices: ${mails.length} sent; ${JSON.stringify(states)}`);
  expect(judge(month)).toEqual([]);
  expect(mails.length).toBeGreaterThan(COUNT);
  for (const reason of ['paid', 'payment', 'stopped', 'no-mail-arrives', 'address-changed', 'mailed-lately'])
    expect(states[`void ${reason}`], reason).toBeGreaterThan(0);
  for (const reason of ['too-late', 'reminded-lately']) expect(states[`skipped ${reason}`], reason).toBeGreaterThan(0);
}, 900_000);
