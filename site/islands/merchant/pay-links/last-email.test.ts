import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeLastEmail } from './LastEmail.tsx';

type EmailFacts = Parameters<typeof describeLastEmail>[0];

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-11-24T18:00:00Z') }));
afterEach(() => void vi.useRealTimers());

const NO_FACTS: EmailFacts = {
  status: 'open',
  last_email: null,
  never_emailed: true,
  opened_at: null,
  bad_address: null,
  next_reminder_at: null,
};
const atDay = (day: string) => `2026-${day}T17:00:00Z`;
const mail = (
  kind: 'pay-link' | 'reminder' | 'receipt',
  day: string,
  report: Partial<EmailFacts['last_email']> = {},
) => ({
  last_email: { kind, at: atDay(day), delivery: null, told_at: null, ...report },
});
const linesOf = (facts: Partial<EmailFacts>) => describeLastEmail({ ...NO_FACTS, ...facts }).lines;

describe('last email column', () => {
  it('shows the last email, and whether the pay page was opened', () => {
    expect(linesOf(mail('pay-link', '10-13'))).toEqual(['Sent Oct 13', 'payment page not opened']);
    expect(linesOf({ ...mail('reminder', '11-10'), opened_at: atDay('11-14') })).toEqual([
      'Reminded Nov 10',
      'payment page opened Nov 14',
    ]);
    expect(linesOf(mail('pay-link', '10-13', { delivery: 'delayed', told_at: atDay('10-13') }))).toEqual([
      'Sent Oct 13',
      'delayed',
      'payment page not opened',
    ]);
    expect(linesOf({ status: 'paid', ...mail('receipt', '11-01'), opened_at: atDay('10-31') })).toEqual([
      'Receipt Nov 1',
    ]);
  });

  it('shows the year of a date in another year, and the time of a date today', () => {
    expect(
      linesOf({ last_email: { kind: 'pay-link', at: '2025-10-13T17:00:00Z', delivery: null, told_at: null } })[0],
    ).toBe('Sent Oct 13, 2025');
    expect(linesOf(mail('pay-link', '11-24'))[0]).toMatch(/^Sent \d+:\d\d\s[AP]M$/);
  });

  it('omits facts that are not known', () => {
    expect(linesOf({})).toEqual(['never']);
    expect(linesOf({ never_emailed: false })).toEqual([]);
    expect(linesOf({ status: 'paid' })).toEqual([]);
    expect(linesOf({ opened_at: atDay('11-14') })).toEqual(['never', 'payment page opened Nov 14']);
  });

  it('shows that an email bounced, and whether the next one may arrive', () => {
    const bounce = { delivery: 'bounced', told_at: atDay('11-21') } as const;
    expect(describeLastEmail({ ...NO_FACTS, ...mail('pay-link', '11-20', bounce), bad_address: 'bounced' })).toEqual({
      isBad: true,
      lines: ['Came back Nov 21', 'address unknown'],
    });
    expect(linesOf(mail('pay-link', '11-20', bounce))).toEqual(['Came back Nov 21', 'can be tried again']);
    expect(
      linesOf({ ...mail('pay-link', '11-20', { ...bounce, delivery: 'complained' }), bad_address: 'complained' }),
    ).toEqual(['Reported as spam Nov 21', 'no more mail to it']);
    // An email about another invoice bounced from the same address.
    expect(describeLastEmail({ ...NO_FACTS, ...mail('pay-link', '10-13'), bad_address: 'suppressed' })).toEqual({
      isBad: true,
      lines: ['Sent Oct 13', 'address blocked'],
    });
  });

  it('ends with the next scheduled reminder', () => {
    expect(linesOf({ ...mail('reminder', '11-10'), next_reminder_at: atDay('12-07') })).toEqual([
      'Reminded Nov 10',
      'payment page not opened',
      'next Dec 7',
    ]);
  });
});
