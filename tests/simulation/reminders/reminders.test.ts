import { expect, test } from 'vitest';
import { complete } from '#tests/support/complete-only';
import { judge } from './judge.ts';
import { live } from './month.ts';

const COUNT = complete ? 10_000 : 250;

test('reminders break no rule in thirty days with a clock change, two clock stops and a silent CRM', async () => {
  const month = await live(COUNT, 20_260_308);
  const { states, sent, bills } = month;
  console.log(`reminders of ${bills.length} invoices: ${sent.length} sent; ${JSON.stringify(states)}`);
  expect(judge(month)).toEqual([]);
  expect(sent.length).toBeGreaterThan(COUNT);
  for (const why of ['paid', 'payment', 'stopped', 'no-mail-arrives', 'address-changed', 'mailed-lately'])
    expect(states[`void ${why}`], why).toBeGreaterThan(0);
  for (const why of ['too-late', 'reminded-lately']) expect(states[`skipped ${why}`], why).toBeGreaterThan(0);
}, 900_000);
