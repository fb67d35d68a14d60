import { expect, it } from 'vitest';
import type { Charge, Reversal } from '../gateway/truth.ts';
import { lengthWithout, speaksAgainst } from './waits.ts';

const out = (from: number, until: number) => ({ what: 'silence', from, until });

it.each([
  ['nothing between', [], 90],
  ['one in the middle', [out(20, 30)], 80],
  ['one that began before and one that ends after', [out(0, 20), out(95, 300)], 75],
  ['two at once, and one inside the other', [out(20, 50), out(40, 60), out(22, 24)], 50],
  ['all of it', [out(0, 300)], 0],
  ['another time', [out(200, 300)], 90],
])('excludes outages from the length of a wait: %s', (_what, outages, ms) => {
  expect(lengthWithout(outages, 10, 100)).toBe(ms);
});

const charge: Charge = {
  id: '1',
  method: 'card',
  state: 'approved',
  merchantId: 'm',
  terminalId: 't',
  orderId: 'a',
  invoice: 'INV-1-1',
  askedCents: 500,
  amountCents: 500,
  refundedCents: 0,
  batchId: null,
  at: 10,
  settledAt: null,
  returnedAt: null,
  returnCode: null,
  oddEnd: null,
  resultCode: '000',
  visibleAt: { id: 10, order: 10, invoice: 10, time: 10 },
  copyOf: null,
};
const attempt = { amount_cents: 500, hold_until: 50, dedupe_key: 'INV-1-1', needs_human_from: 'unknown' };
const released = { ...attempt, needs_human_from: 'not_charged' };
const back = (more: Partial<Reversal> = {}): Reversal => ({
  id: '9',
  kind: 'void',
  ofId: '1',
  state: 'approved',
  by: 'person',
  amountCents: 500,
  terminalId: 't',
  orderId: null,
  invoice: null,
  batchId: null,
  at: 20,
  visibleAt: charge.visibleAt,
  ...more,
});

it.each<[string | null, Charge, Charge[], Reversal[]]>([
  [null, charge, [], []],
  ['charged with another amount', { ...charge, amountCents: 499 }, [], []],
  [null, { ...charge, at: 50 }, [], []],
  ['charged twice', charge, [{ ...charge, id: '2' }], []],
  ['another charge under its key', charge, [{ ...charge, id: '2', orderId: 'else' }], []],
  ['given back while they waited', charge, [], [back()]],
  [null, charge, [], [back({ at: 101 })]],
  [null, charge, [], [back({ state: 'declined' })]],
  [null, charge, [{ ...charge, id: '2', orderId: 'else', at: 101 }], []],
  [null, charge, [{ ...charge, id: '2', orderId: 'else', state: 'voided' }], []],
  [null, charge, [{ ...charge, id: '2', state: 'declined' }], []],
])('decides whether a wait is left to manual review: %s', (why, own, others, reversals) => {
  expect(speaksAgainst({ charges: [own, ...others], reversals }, own, attempt, 100)).toBe(why);
});

it('leaves a wait to manual review when the charge came after the hold of a released invoice', () => {
  const why = (at: number) => speaksAgainst({ charges: [], reversals: [] }, { ...charge, at }, released, 100);
  expect([why(49), why(50)]).toEqual([null, 'charged after the hold and the release']);
});
