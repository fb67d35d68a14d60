import { describe, expect, it } from 'vitest';
import { SaleState, type TerminalSale } from '#shared/contracts/payments/terminals';
import { sampleSale as sale } from '#tests/support/sample-sale';
import { describeBusy, describeSale, describeWait, faceOf, hasEndedUnpaid, isRunning, stopsOf } from './sale-words.ts';

const messageOf = (state: SaleState, changes: Partial<TerminalSale> = {}) => {
  const { lead, text } = describeSale(sale({ state, ...changes }));
  return `${lead} ${text}`;
};

describe('sale messages', () => {
  it('state that nothing was charged if and only if the outcome is without a charge', () => {
    for (const state of SaleState.options) {
      expect(/Nothing was charged|Not charged/.test(messageOf(state)), state).toBe(hasEndedUnpaid({ state }));
    }
  });

  it('offer another attempt only if no charge can follow', () => {
    expect(SaleState.options.filter((state) => hasEndedUnpaid({ state }))).toEqual([
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

  it('warn not to pay again while the outcome is unknown', () => {
    expect(messageOf('unknown')).toBe(
      'Not known yet Please do not pay again. We are asking Clearent, and this page shows the answer.',
    );
    expect(messageOf('needs-a-person')).toContain('Please do not pay again.');
  });

  it('include the time if it is known', () => {
    expect(messageOf('offline')).toMatch(/^Front counter 1 is offline\. Not charged It has not been reached yet\./);
    const today = new Date();
    today.setHours(9, 5);
    expect(messageOf('offline', { last_heard: today.toISOString() })).toMatch(/Last seen 9:05.AM\./);
    expect(messageOf('timed-out', { ended_at: today.toISOString() })).toMatch(
      /^No card by 9:05.AM\. Nothing was charged\./,
    );
  });

  it('include the provider’s reason for a refusal, but not for a decline', () => {
    expect(messageOf('refused', { message: 'Terminal disabled' })).toContain(
      'did not accept the sale. Terminal disabled.',
    );
    expect(messageOf('refused')).toContain('Please contact support.');
    expect(messageOf('declined', { message: 'Insufficient funds' })).toBe(
      'Declined. Not charged Nothing was taken from this card. Another card may work.',
    );
  });

  it('include the card and the receipt’s recipient if they are known', () => {
    const transaction = { id: '1', amount: '184.00', 'authorization-code': 'A1', result: 'APPROVED' };
    const paid = (card: string, receipt_to: string) =>
      messageOf('approved', { transaction: { ...transaction, card }, receipt_to });
    expect(paid('VISA •••• 1111', 'marta@payer.example')).toBe(
      'Paid. Thank you Visa 1111. Your receipt is on its way to marta@payer.example.',
    );
    expect(paid('American Express •••• 0005', '')).toBe('Paid. Thank you American Express 0005.');
    expect(paid('', '')).toBe('Paid. Thank you ');
  });

  it('have the face "paid" only for an approved sale, and "waiting" only for a running one', () => {
    const statesWithFace = (face: string) => SaleState.options.filter((state) => faceOf({ state }) === face);
    expect([statesWithFace('paid'), statesWithFace('waiting'), statesWithFace('unknown')]).toEqual([
      ['approved'],
      ['waiting'],
      ['unknown', 'needs-a-person'],
    ]);
  });

  it('state who is using a busy card reader, from what time and for which invoice', () => {
    expect(describeBusy(sale())).toMatch(
      /^Front counter 1 has been busy since .+: ana@maple\.example, INV-1042, \$184\.00\.$/,
    );
  });

  it('state that a reader is waiting for a card, or may still charge one if it does not answer', () => {
    expect(describeWait(sale())).toBe('Front counter 1 is waiting for a card:');
    expect(describeWait(sale({ state: 'unknown' }))).toBe('Front counter 1 may still charge:');
  });
});

describe('sale progress steps', () => {
  it.each([
    ['waiting', ['done', 'now', 'ahead'], 'Paid'],
    ['approved', ['done', 'done', 'done'], 'Paid'],
    ['declined', ['done', 'done', 'failed'], 'Declined'],
    ['cancelled', ['done', 'done', 'ended'], 'Cancelled'],
    ['timed-out', ['done', 'done', 'ended'], 'Timed out'],
    ['unknown', ['done', 'done', 'unknown'], 'Not known yet'],
    ['offline', ['done', 'ahead', 'failed'], 'Offline'],
  ] as const)('match the state %s', (state, states, name) => {
    const stops = stopsOf(sale({ state }));
    expect([stops.map((stop) => stop.state), stops.at(-1)?.name]).toEqual([states, name]);
  });
});
