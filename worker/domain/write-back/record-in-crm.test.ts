import { describe, expect, it } from 'vitest';
import { crmRecordOf, recordedCents } from './effect.ts';

const row = (overrides: Record<string, unknown>) => ({
  account: 'ready',
  account_said: null,
  state: null,
  effect: '',
  said: null,
  note: null,
  done_at: null,
  recorded_cents: 10_000,
  back_cents: 300,
  ...overrides,
});

describe('the part of a payment that the CRM balance includes', () => {
  it.each([
    ['recorded by hand', { state: 'by_hand' }, 9_700],
    ['recorded and seen as paid', { state: 'written', effect: 'paid' }, 9_700],
    ['recorded and seen in the balance', { state: 'written', effect: 'balance_moved' }, 9_700],
    ['recorded and not seen', { state: 'written', effect: 'nothing_moved' }, 0],
    ['recorded and not read', { state: 'written' }, 0],
    ['not recorded yet', { state: 'due', effect: 'paid' }, 0],
    ['recorded by hand, with an unknown amount', { state: 'by_hand', recorded_cents: null, back_cents: 0 }, 0],
  ])('is derived for a payment that is %s', (_title, overrides, cents) => {
    expect(recordedCents(row(overrides))).toBe(cents);
  });
});

describe('the CRM record shown for a payment', () => {
  const at = new Date(5).toISOString();
  it.each<[string, Record<string, unknown>, ReturnType<typeof crmRecordOf>]>([
    ['of an account that records none', { account: null, state: 'written', effect: 'paid' }, null],
    ['by hand', { state: 'by_hand', note: 'Seen', done_at: 5 }, { state: 'by-hand', at, why: 'Seen' }],
    ['by hand, without a note', { state: 'by_hand' }, { state: 'by-hand', at: null, why: '' }],
    ['written and seen', { state: 'written', effect: 'paid', done_at: 5 }, { state: 'recorded', at, why: '' }],
    ['written and not seen', { state: 'written', effect: 'nothing_moved' }, { state: 'unmoved', at: null, why: '' }],
    ['written and not read', { state: 'written', done_at: 5 }, { state: 'waiting', at: null, why: '' }],
    ['sent', { state: 'sent' }, { state: 'waiting', at: null, why: '' }],
    ['due', { state: 'due' }, { state: 'waiting', at: null, why: '' }],
    [
      'due, and not allowed',
      { state: 'due', account: 'cannot', account_said: 'No' },
      { state: 'missing', at: null, why: 'No' },
    ],
    ['refused', { state: 'refused', said: 'No' }, { state: 'missing', at: null, why: 'No' }],
    ['never recorded', {}, { state: 'missing', at: null, why: '' }],
  ])('is shown by its state: %s', (_title, overrides, record) => {
    expect(crmRecordOf(row(overrides))).toEqual(record);
  });
});
