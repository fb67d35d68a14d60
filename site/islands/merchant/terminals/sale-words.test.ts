import { describe, expect, it } from 'vitest';
import { SaleState, type TerminalSale } from '../../../../shared/contracts/terminals.ts';
import { busyWords, isAtTheDevice, isFree, isRunning, stopsOf, wordsFor } from './sale-words.ts';

const at = (minute: number) => new Date(2026, 2, 4, 10, minute).toISOString();
const sale = (more: Partial<TerminalSale> = {}): TerminalSale => ({
  id: 's1',
  terminal_id: '70141',
  terminal_name: 'Front counter 1',
  invoice_id: '902',
  invoice_number: 'INV-1042',
  customer: 'Marta Núñez',
  amount: '184.00',
  currency: 'USD',
  state: 'waiting',
  started_by: 'ana@maple.example',
  is_own: true,
  started_at: at(42),
  ends_by: at(45),
  ended_at: null,
  asked_at: null,
  message: '',
  last_heard: null,
  transaction: null,
  receipt_url: null,
  provider: 'Clearent',
  ...more,
});
const said = (state: SaleState, more: Partial<TerminalSale> = {}) => {
  const { lead, text } = wordsFor(sale({ state, ...more }));
  return `${lead} ${text}`;
};

describe('what is said of a sale', () => {
  it('says of every end without money that nothing was charged, and of no other', () => {
    for (const state of SaleState.options) {
      expect(/Nothing was charged\./.test(said(state)), state).toBe(isFree({ state }));
    }
  });

  it('offers another try only where no charge can come any more', () => {
    expect(SaleState.options.filter((state) => isFree({ state }))).toEqual([
      'declined',
      'cancelled',
      'timed-out',
      'offline',
      'busy',
      'refused',
      'not-charged',
    ]);
    expect(SaleState.options.filter((state) => isRunning({ state }))).toEqual(['waiting', 'unknown']);
  });

  it('forbid a second start while the outcome is unknown', () => {
    expect(said('unknown')).toMatch(
      /^We do not know yet whether this was charged\. Do not start it again\. We are asking/,
    );
    expect(said('needs-a-person')).toContain('Do not start it again.');
  });

  it('name the known time, and say so if there is none', () => {
    expect(said('offline')).toMatch(/^Front counter 1 is offline\. It has not answered here before\./);
    const today = new Date();
    today.setHours(9, 5);
    expect(said('offline', { last_heard: today.toISOString() })).toMatch(/Last seen 9:05.AM\./);
    expect(said('timed-out', { ended_at: today.toISOString() })).toMatch(/^No card by 9:05.AM\./);
  });

  it('give the provider’s reason as a sentence', () => {
    expect(said('declined', { message: 'Insufficient funds' })).toMatch(/^Insufficient funds\. Nothing was charged\./);
    expect(said('declined')).toMatch(/^The card was declined\. Nothing was charged\./);
  });

  it('tell who has a device, since when and for which invoice', () => {
    expect(busyWords(sale())).toMatch(/^Front counter 1 is busy since .+: ana@maple\.example, INV-1042, \$184\.00\.$/);
  });

  it('release a device when the time of its sale is over', () => {
    const end = Date.parse(at(45));
    expect([isAtTheDevice(sale(), end - 1), isAtTheDevice(sale(), end)]).toEqual([true, false]);
    expect(isAtTheDevice(sale({ state: 'approved' }), end - 1)).toBe(false);
  });
});

describe('the line of a sale', () => {
  it.each([
    ['waiting', ['done', 'now', 'ahead'], 'Approved'],
    ['approved', ['done', 'done', 'done'], 'Approved'],
    ['declined', ['done', 'done', 'failed'], 'Declined'],
    ['cancelled', ['done', 'done', 'ended'], 'Cancelled'],
    ['timed-out', ['done', 'done', 'ended'], 'Timed out'],
    ['unknown', ['done', 'done', 'unknown'], 'Being confirmed'],
    ['offline', ['done', 'ahead', 'failed'], 'Offline'],
  ] as const)('of one that is %s', (state, marks, last) => {
    const stops = stopsOf(sale({ state }));
    expect([stops.map((stop) => stop.state), stops.at(-1)?.name]).toEqual([marks, last]);
  });
});
