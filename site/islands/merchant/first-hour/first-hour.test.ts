import { expect, it } from 'vitest';
import type { FirstHour } from '#shared/contracts/staff/first-hour';
import { describeStep } from './first-hour.ts';

const STEP = { name: 'test-link', is_done: false, waits_for: 'you', since: null } as const;

it.each([
  ['customer', /void the payment afterwards\. If you pay it, Marta Núñez gets the receipt by email\./],
  ['caller', /void the payment afterwards\. You get the receipt, too\.$/],
  ['none', /void the payment afterwards\.$/],
] as const)('states in the test link step who gets the receipt: %s', (receipt, text) => {
  const invoice = { number: 'INV-7', amount: '$20.00', customer: 'Marta Núñez', receipt };
  const view = { terminals: 1, test: { to: 'noor@harbor.example', invoice, sent_at: null, paid: null } };
  expect(describeStep(STEP, view as FirstHour)).toMatch(text);
});
