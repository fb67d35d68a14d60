import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saysLastEmail } from './LastEmail.tsx';

type Mails = Parameters<typeof saysLastEmail>[0];

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-11-24T18:00:00Z') }));
afterEach(() => void vi.useRealTimers());

const NOTHING: Mails = {
  status: 'open',
  last_email: null,
  never_emailed: true,
  opened_at: null,
  bad_address: null,
  next_reminder_at: null,
};
const on = (day: string) => `2026-${day}T17:00:00Z`;
const mail = (kind: 'pay-link' | 'reminder' | 'receipt', day: string, told: Partial<Mails['last_email']> = {}) => ({
  last_email: { kind, at: on(day), delivery: null, told_at: null, ...told },
});
const says = (of: Partial<Mails>) => saysLastEmail({ ...NOTHING, ...of }).lines;

describe('the last email column', () => {
  it('shows the newest mail and whether the pay page was opened, never whether a mail was opened', () => {
    expect(says(mail('pay-link', '10-13'))).toEqual(['Sent Oct 13', 'pay page not opened']);
    expect(says({ ...mail('reminder', '11-10'), opened_at: on('11-14') })).toEqual([
      'Reminded Nov 10',
      'pay page opened Nov 14',
    ]);
    expect(says(mail('pay-link', '10-13', { delivery: 'delayed', told_at: on('10-13') }))).toEqual([
      'Sent Oct 13',
      'delayed',
      'pay page not opened',
    ]);
    expect(says({ status: 'paid', ...mail('receipt', '11-01'), opened_at: on('10-31') })).toEqual(['Receipt Nov 1']);
  });

  it('includes the year of a date in another year, and the time of a date today', () => {
    expect(
      says({ last_email: { kind: 'pay-link', at: '2025-10-13T17:00:00Z', delivery: null, told_at: null } })[0],
    ).toBe('Sent Oct 13, 2025');
    expect(says(mail('pay-link', '11-24'))[0]).toMatch(/^Sent \d+:\d\d\s[AP]M$/);
  });

  it('omits what is unknown', () => {
    expect(says({})).toEqual(['never']);
    expect(says({ never_emailed: false })).toEqual([]);
    expect(says({ status: 'paid' })).toEqual([]);
    expect(says({ opened_at: on('11-14') })).toEqual(['never', 'pay page opened Nov 14']);
  });

  it('shows that a mail bounced and whether the next one may arrive', () => {
    const told = { delivery: 'bounced', told_at: on('11-21') } as const;
    expect(saysLastEmail({ ...NOTHING, ...mail('pay-link', '11-20', told), bad_address: 'bounced' })).toEqual({
      isBad: true,
      lines: ['Came back Nov 21', 'address unknown'],
    });
    expect(says(mail('pay-link', '11-20', told))).toEqual(['Came back Nov 21', 'the next may arrive']);
    expect(
      says({ ...mail('pay-link', '11-20', { ...told, delivery: 'complained' }), bad_address: 'complained' }),
    ).toEqual(['Reported as spam Nov 21', 'no more mail to it']);
    // Another invoice's mail came back from the same address.
    expect(saysLastEmail({ ...NOTHING, ...mail('pay-link', '10-13'), bad_address: 'suppressed' })).toEqual({
      isBad: true,
      lines: ['Sent Oct 13', 'address blocked'],
    });
  });

  it('ends with the next scheduled reminder', () => {
    expect(says({ ...mail('reminder', '11-10'), next_reminder_at: on('12-07') })).toEqual([
      'Reminded Nov 10',
      'pay page not opened',
      'next Dec 7',
    ]);
  });
});
