import { describe, expect, it } from 'vitest';
import { nextReminderAt } from './next.ts';

const at = (text: string) => Date.parse(text);
const iso = (time: number | null) => time && new Date(time).toISOString();

/** Tuesday, March 3, 2026, at 11:00 in Indiana; the clocks there go forward on Sunday, March 8. */
const NOW = at('2026-03-03T16:00:00Z');
const plan = {
  steps: [-3, 0, 7],
  doneDay: '2026-03-03',
  nextRunAt: at('2026-03-04T14:00:00Z'),
  waitUntil: 0,
  timeZone: 'America/Indiana/Indianapolis',
};
const noReminders = { planned: [], mailedAt: null };
const plannedReminder = (step: number, state: 'owed' | 'handed' | 'void' | 'skipped', day: string) => ({
  step,
  state,
  day,
  plannedAt: at(`${day}T14:00:00Z`),
  isNow: 1 as const,
});

describe('the next reminder of an invoice', () => {
  it('is at nine in the morning local time on the day of the next step', () => {
    expect(iso(nextReminderAt(plan, '2026-03-09', noReminders, NOW))).toBe('2026-03-06T14:00:00.000Z');
    expect(iso(nextReminderAt(plan, '2026-03-04', noReminders, NOW)), 'the step before it is over').toBe(
      '2026-03-04T14:00:00.000Z',
    );
  });

  it('moves to the next working day, at nine by the clock of that day', () => {
    expect(iso(nextReminderAt(plan, '2026-03-10', noReminders, NOW))).toBe('2026-03-09T13:00:00.000Z');
  });

  it('does not exist once all steps are past, planned or done', () => {
    expect(nextReminderAt(plan, '2026-02-20', noReminders, NOW)).toBeNull();
    const twoReminders = {
      planned: [plannedReminder(0, 'handed', '2026-02-27'), plannedReminder(7, 'skipped', '2026-03-02')],
      mailedAt: null,
    };
    expect(nextReminderAt(plan, '2026-02-27', twoReminders, NOW)).toBeNull();
  });

  it('is at least a week after the previous one, even if that one was for another collection', () => {
    const earlyReminder = {
      planned: [{ ...plannedReminder(-3, 'handed', '2026-03-02'), isNow: 0 as const }],
      mailedAt: null,
    };
    expect(iso(nextReminderAt({ ...plan, steps: [0, 7] }, '2026-03-06', earlyReminder, NOW))).toBe(
      '2026-03-13T13:00:00.000Z',
    );
    expect(nextReminderAt({ ...plan, steps: [0] }, '2026-03-06', earlyReminder, NOW)).toBeNull();
  });

  it('is at least a day after another email', () => {
    const recentMail = { planned: [], mailedAt: at('2026-03-03T15:00:00Z') };
    expect(iso(nextReminderAt(plan, '2026-03-04', recentMail, NOW))).toBe('2026-03-11T13:00:00.000Z');
    expect(iso(nextReminderAt(plan, '2026-03-04', { ...recentMail, mailedAt: at('2026-03-03T14:00:00Z') }, NOW))).toBe(
      '2026-03-04T14:00:00.000Z',
    );
  });

  it('is due now or when the account may send again, and lapses after two days', () => {
    const queuedReminder = { planned: [plannedReminder(0, 'owed', '2026-03-03')], mailedAt: null };
    expect(iso(nextReminderAt(plan, '2026-03-03', queuedReminder, NOW))).toBe(iso(NOW));
    const waitingPlan = { ...plan, waitUntil: at('2026-03-04T14:00:00Z') };
    expect(iso(nextReminderAt(waitingPlan, '2026-03-03', queuedReminder, NOW))).toBe('2026-03-04T14:00:00.000Z');
    const night = at('2026-03-04T03:00:00Z');
    expect(iso(nextReminderAt(plan, '2026-03-03', queuedReminder, night))).toBe('2026-03-04T14:00:00.000Z');
    const lapsedReminder = { planned: [plannedReminder(0, 'owed', '2026-02-27')], mailedAt: null };
    expect(nextReminderAt({ ...plan, steps: [0] }, '2026-02-27', lapsedReminder, NOW)).toBeNull();
    expect(
      iso(nextReminderAt({ ...plan, steps: [0, 6] }, '2026-02-27', lapsedReminder, NOW)),
      'it delays no other',
    ).toBe('2026-03-05T14:00:00.000Z');
  });
});
