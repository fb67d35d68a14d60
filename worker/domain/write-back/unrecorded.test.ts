import { describe, expect, it } from 'vitest';
import type { CrmWriteSettings } from '#worker/data/schema/crm';
import type { RecordedEntry } from '#worker/data/write-back/unrecorded';
import { NEWEST_POSITION, parsePosition, readUnrecorded } from './unrecorded.ts';

const QUARTER_HOUR = 15 * 60_000;
const NOW = 10 * QUARTER_HOUR;
type Entry = Partial<RecordedEntry>;

const entryOf = (overrides: Entry): RecordedEntry => ({
  seq: 7,
  id: 'p1',
  kind: 'payment',
  invoiceId: 'i1',
  invoiceNumber: 'INV-1',
  customer: 'Marta',
  amountCents: 10_000,
  refundedCents: 0,
  attemptState: 'approved',
  currency: 'USD',
  at: 5,
  reference: 'g1',
  crmStatus: 'open',
  state: null,
  paymentState: null,
  effect: null,
  said: null,
  since: null,
  ...overrides,
});

const accounts = {
  writes: { isOn: true, state: 'ready' },
  'cannot write': { isOn: true, state: 'cannot' },
  'is off': { isOn: false, state: 'ready' },
  'was never on': undefined,
};
type Account = keyof typeof accounts;

/** Reads the page of these ledger entries that are missing in the CRM. */
function readPage(account: Account, ...entries: Entry[]) {
  const statement = { bind: () => statement, all: async () => ({ results: entries.map(entryOf) }) };
  const deps = { db: { $client: { prepare: () => statement } }, now: () => NOW, crm: { displayName: 'HubSpot' } };
  return readUnrecorded(deps as never, 1, accounts[account] as CrmWriteSettings | undefined, NEWEST_POSITION);
}

it('lists each payment with its invoice, amount, time and reason', async () => {
  const page = await readPage('writes', { refundedCents: 300, state: 'refused', said: 'No' });
  expect(page).toEqual({
    recorded: 0,
    looked_at: 1,
    next: null,
    unrecorded: [
      {
        id: 'p1',
        kind: 'payment',
        invoice_id: 'i1',
        invoice_number: 'INV-1',
        customer: 'Marta',
        amount: '97.00',
        currency: 'USD',
        paid_at: new Date(5).toISOString(),
        transaction_id: 'g1',
        state: 'refused',
        why: 'No',
        is_yours: true,
      },
    ],
  });
});

describe('a payment', () => {
  it.each<[string, Account, Entry, state: string, isYours: boolean]>([
    ['was never recorded', 'writes', {}, 'not-told', true],
    ['was refunded except for one cent', 'writes', { refundedCents: 9_999 }, 'not-told', true],
    ['is due', 'writes', { state: 'due' }, 'due', false],
    ['is due', 'cannot write', { state: 'due' }, 'due', true],
    ['is due', 'is off', { state: 'due' }, 'due', true],
    ['is due', 'was never on', { state: 'due' }, 'due', true],
    ['was sent long ago', 'writes', { state: 'sent', since: 0 }, 'sent', false],
    ['was sent a quarter of an hour ago', 'is off', { state: 'sent', since: NOW - QUARTER_HOUR }, 'sent', true],
    ['was sent under 15 minutes ago', 'is off', { state: 'sent', since: NOW - QUARTER_HOUR + 1 }, 'sent', false],
    ['was sent at an unknown time', 'is off', { state: 'sent' }, 'sent', true],
    ['is unknown', 'writes', { state: 'unknown' }, 'unknown', true],
    ['did not change the balance', 'writes', { state: 'written', effect: 'nothing_moved' }, 'nothing_moved', true],
    [
      'was recorded, not read since',
      'is off',
      { state: 'written', effect: '', since: NOW - QUARTER_HOUR },
      'unknown',
      true,
    ],
  ])('is listed when it %s, in an account that %s', async (_title, account, entry, state, is_yours) => {
    const { unrecorded, recorded } = await readPage(account, entry);
    const explanation = entry.effect === '' ? 'It was recorded, and what HubSpot shows since was not read.' : '';
    expect(unrecorded).toMatchObject([{ state, is_yours, why: explanation, kind: 'payment' }]);
    expect(recorded).toBe(0);
  });

  it.each<[string, Account, Entry, recorded: number, lookedAt: number]>([
    ['was voided', 'writes', { attemptState: 'voided' }, 0, 0],
    ['is paid according to the CRM', 'writes', { crmStatus: 'paid' }, 0, 1],
    ['was recorded by hand', 'writes', { state: 'by_hand' }, 1, 1],
    ['was fully refunded', 'writes', { refundedCents: 10_000 }, 0, 1],
    ['is in the CRM balance', 'is off', { state: 'written', effect: 'balance_moved' }, 1, 1],
    [
      'was in the CRM balance and then voided',
      'is off',
      { state: 'written', effect: 'paid', attemptState: 'voided' },
      0,
      0,
    ],
    ['was recorded and is still to be read', 'writes', { state: 'written', effect: '', since: 0 }, 0, 1],
    [
      'was recorded under 15 minutes ago',
      'is off',
      { state: 'written', effect: '', since: NOW - QUARTER_HOUR + 1 },
      0,
      1,
    ],
  ])('is not listed when it %s, in an account that %s', async (_title, account, entry, recorded, looked_at) => {
    expect(await readPage(account, entry)).toEqual({ recorded, looked_at, unrecorded: [], next: null });
  });
});

describe('a refund', () => {
  it.each<[Account, RecordedEntry['state'], isListed: boolean]>([
    ['writes', 'unknown', true],
    ['writes', 'refused', true],
    ['writes', 'due', false],
    ['is off', 'due', true],
    ['writes', 'sent', false],
    ['is off', 'written', false],
    ['writes', null, false],
  ])('is listed in an account that %s, with its record %s: %s', async (account, state, isListed) => {
    const entry: Entry = { kind: 'refund', state, paymentState: 'written', amountCents: 300, refundedCents: 300 };
    const { unrecorded, looked_at } = await readPage(account, entry);
    expect(unrecorded).toMatchObject(isListed ? [{ kind: 'refund', amount: '3.00', state, is_yours: true }] : []);
    expect(looked_at).toBe(0);
  });

  it.each<[RecordedEntry['paymentState'], attemptState: string, isListed: boolean]>([
    ['written', 'approved', true],
    ['by_hand', 'approved', true],
    ['unknown', 'approved', false],
    ['unknown', 'refunded', true],
    ['sent', 'approved', false],
    ['sent', 'voided', true],
    ['refused', 'refunded', false],
    ['due', 'refunded', false],
    ['not_wanted', 'refunded', false],
    [null, 'refunded', false],
  ])('is listed with the payment record %s and the payment %s: %s', async (paymentState, attemptState, isListed) => {
    const entry: Entry = { kind: 'refund', state: 'due', paymentState, attemptState, amountCents: 300 };
    expect((await readPage('is off', entry)).unrecorded).toHaveLength(isListed ? 1 : 0);
  });

  it('is not listed beside its payment, which is listed with its net amount', async () => {
    const payment: Entry = { state: 'refused', paymentState: 'refused', refundedCents: 300 };
    const refund: Entry = { ...payment, kind: 'refund', state: 'due', amountCents: 300 };
    const { unrecorded } = await readPage('was never on', refund, payment);
    expect(unrecorded.map(({ kind, amount }) => [kind, amount])).toEqual([['payment', '97.00']]);
  });
});

it('continues from the last entry of a full page', async () => {
  const entriesOf = (count: number) => Array.from({ length: count }, (_, index) => ({ at: 900 - index, seq: index }));
  expect((await readPage('writes', ...entriesOf(499))).next).toBeNull();
  const { next } = await readPage('writes', ...entriesOf(500));
  expect(next).toBe('401.499');
  expect(parsePosition(next ?? undefined)).toEqual({ at: 401, seq: 499 });
  expect([parsePosition(undefined), parsePosition('5')]).toEqual([NEWEST_POSITION, { at: 5, seq: 0 }]);
});
