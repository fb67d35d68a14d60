import { describe, expect, it } from 'vitest';
import { localDay } from '#shared/text/local-day';
import { planHistory } from './history-plan.ts';

const ZONE = 'America/Indiana/Indianapolis';
const NOON = Date.parse('2026-11-24T17:00:00Z');
const DAY = 86_400_000;

describe('the history of the first merchant', () => {
  it('is the same for the same day and lies entirely in the past', () => {
    const plan = planHistory(NOON, ZONE);
    expect(planHistory(NOON, ZONE)).toEqual(plan);
    const times = plan.steps.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect([Math.min(...times) > NOON - 91 * DAY, Math.max(...times) < NOON]).toEqual([true, true]);
    // Later on the same day only more of that day has happened.
    const before = ({ steps }: typeof plan) => steps.filter(({ at }) => localDay(at, ZONE) < '2026-11-24');
    expect(before(planHistory(NOON + DAY / 4, ZONE))).toEqual(before(plan));
  });

  it('has busier weekdays than weekends and includes every kind of transaction', () => {
    const { steps } = planHistory(NOON, ZONE);
    const payments = steps.filter((step) => (step.do === 'pay' || step.do === 'sell') && !step.isDeclined);
    const onDay = (days: string[]) =>
      payments.filter(({ at }) =>
        days.includes(new Date(at).toLocaleDateString('en-US', { weekday: 'short', timeZone: ZONE })),
      ).length;
    expect(onDay(['Sat', 'Sun']) / 2).toBeLessThan(onDay(['Mon', 'Tue', 'Wed', 'Thu', 'Fri']) / 5 / 2);
    const kinds = (action: string) => steps.filter((step) => step.do === action).length;
    expect(['pay', 'sell', 'refund', 'void', 'close'].map((kind) => [kind, kinds(kind) > 0])).toEqual(
      ['pay', 'sell', 'refund', 'void', 'close'].map((kind) => [kind, true]),
    );
    expect(steps.filter((step) => 'isDeclined' in step && step.isDeclined).length).toBeGreaterThan(3);
  });

  it('pays each invoice at most once, after creating it, and refunds it only after payment', () => {
    const { bills, steps } = planHistory(NOON, ZONE);
    for (const bill of bills.keys()) {
      const billSteps = steps.filter((step) => 'bill' in step && step.bill === bill).map((step) => step);
      const kinds = billSteps.map((step) => ('isDeclined' in step ? (step.isDeclined ? 'declined' : 'paid') : step.do));
      expect(kinds.join(' '), String(bill)).toMatch(/^(bill( declined)?( paid( (refund|void|record))?)?)?$/);
    }
  });
});
