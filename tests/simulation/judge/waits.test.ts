import { expect, it } from 'vitest';
import type { Charge, Reversal } from '../gateway/truth.ts';
import { msWithoutOutages, reviewReason } from './waits.ts';

const outage = (from: number, until: number) => ({ kind: 'silence', from, until });

it.each([
  ['no outage', [], 90],
  ['one outage in the middle', [outage(20, 30)], 80],
  ['outages that start before and end after', [outage(0, 20), outage(95, 300)], 75],
  ['overlapping and nested outages', [outage(20, 50), outage(40, 60), outage(22, 24)], 50],
  ['an outage of the whole wait', [outage(0, 300)], 0],
  ['an outage at another time', [outage(200, 300)], 90],
])('outages do not count in the length of a wait: %s', (_situation, outages, ms) => {
  expect(msWithoutOutages(outages, 10, 100)).toBe(ms);
});

const charge: Charge = {
  id: '1',
  method: 'card',
  state: 'approved',
  merchantId: 'm',
  terminalId: 't',
  orderId: 'a',
  invoice: 'INV-1-1',
  requestedCents: 500,
  amountCents: 500,
  refundedCents: 0,
  batchId: null,
  at: 10,
  settledAt: null,
  returnedAt: null,
  returnCode: null,
  unusualEnd: null,
  resultCode: '000',
  visibleAt: { id: 10, order: 10, invoice: 10, time: 10 },
  copyOf: null,
};
const attempt = { amount_cents: 500, hold_until: 50, dedupe_key: 'INV-1-1', needs_human_from: 'unknown' };
const released = { ...attempt, needs_human_from: 'not_charged' };
const makeReversal = (overrides: Partial<Reversal> = {}): Reversal => ({
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
  ...overrides,
});

it.each<[string | null, Charge, Charge[], Reversal[]]>([
  [null, charge, [], []],
  ['charged with another amount', { ...charge, amountCents: 499 }, [], []],
  [null, { ...charge, at: 50 }, [], []],
  ['charged twice', charge, [{ ...charge, id: '2' }], []],
  ['another charge under its key', charge, [{ ...charge, id: '2', orderId: 'else' }], []],
  ['reversed during the wait', charge, [], [makeReversal()]],
  [null, charge, [], [makeReversal({ at: 101 })]],
  [null, charge, [], [makeReversal({ state: 'declined' })]],
  [null, charge, [{ ...charge, id: '2', orderId: 'else', at: 101 }], []],
  [null, charge, [{ ...charge, id: '2', orderId: 'else', state: 'voided' }], []],
  [null, charge, [{ ...charge, id: '2', state: 'declined' }], []],
])('the gateway’s records show if a wait needs manual review: %s', (reason, ownCharge, otherCharges, reversals) => {
  expect(reviewReason({ charges: [ownCharge, ...otherCharges], reversals }, ownCharge, attempt, 100)).toBe(reason);
});

it('a charge after the hold of a released invoice needs manual review', () => {
  const reasonAt = (at: number) => reviewReason({ charges: [], reversals: [] }, { ...charge, at }, released, 100);
  expect([reasonAt(49), reasonAt(50)]).toEqual([null, 'charged after the hold and the release']);
});
