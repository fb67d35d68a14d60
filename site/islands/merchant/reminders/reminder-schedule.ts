import {
  DEFAULT_STEPS,
  Forecast,
  MAX_STEP_DAYS,
  MAX_STEPS,
  MIN_GAP_DAYS,
  Reminders,
  type RemindersBody,
  type ReminderTestBody,
  type ReminderTiming,
  TestSent,
  timingOf,
} from '#shared/contracts/payments/reminders';
import { describeDays } from '#shared/text/reminder-steps';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { api, sendJson } from '../api/api.ts';

const readReminders = readWith(Reminders);
const readForecast = readWith(Forecast);
const readTestSent = readWith(TestSent);

export const fetchReminders = () => api.call('/api/reminders', readReminders);
export const saveReminders = (steps: number[]) =>
  api.call('/api/reminders', readReminders, sendJson<RemindersBody>('PUT', { steps }));
export const fetchForecast = (steps: number[]) =>
  api.call(`/api/reminders/forecast?steps=${steps.join(',')}`, readForecast);
export const sendTestReminder = (timing: ReminderTiming) =>
  api.call('/api/reminders/test', readTestSent, sendJson<ReminderTestBody>('POST', { when: timing }));

/** A line of the schedule. `days` is the typed text, which is ignored for the due date itself. */
export type ScheduleLine = { id: number; when: ReminderTiming; days: string; isOn: boolean };

const TIMING_ORDER: ReminderTiming[] = ['before', 'on', 'after'];
const DEFAULT_LINES: Pick<ScheduleLine, 'when' | 'days'>[] = TIMING_ORDER.map((when) => ({
  when,
  days: String(Math.abs(DEFAULT_STEPS[when])),
}));
const ORDINALS = ['First', 'Second', 'Third', 'Fourth'];

/**
 * Returns a line for each saved step, plus an unticked default for each timing without a step. Without saved steps,
 * the defaults are ticked.
 */
export function linesOf(steps: number[]): ScheduleLine[] {
  const saved = steps.map((step) => ({ when: timingOf(step), days: String(Math.abs(step)), isOn: true }));
  const defaults = DEFAULT_LINES.filter(({ when }) => !saved.some((line) => line.when === when));
  return [...saved, ...defaults.map((line) => ({ ...line, isOn: steps.length === 0 }))]
    .sort(
      (a, b) =>
        TIMING_ORDER.indexOf(a.when) - TIMING_ORDER.indexOf(b.when) ||
        signOf(a.when) * (Number(a.days) - Number(b.days)),
    )
    .map((line, id) => ({ ...line, id }));
}

const signOf = (when: ReminderTiming) => (when === 'before' ? -1 : 1);

/** Adds a line a week after the latest one. */
export const withExtraLine = (lines: ScheduleLine[]): ScheduleLine[] => {
  const latest = Math.max(7, ...lines.filter(({ when }) => when === 'after').map(({ days }) => Number(days) || 0));
  return [...lines, { id: lines.length, when: 'after', days: String(Math.min(MAX_STEP_DAYS, latest + 7)), isOn: true }];
};

export const isFull = (lines: ScheduleLine[]): boolean => lines.filter(({ isOn }) => isOn).length >= MAX_STEPS;

/** The label beside a line's days. */
export function nameOf(line: ScheduleLine, lines: ScheduleLine[]): string {
  if (line.when !== 'after') return line.when === 'on' ? 'On the day' : 'Before';
  return ORDINALS[lines.filter(({ when }) => when === 'after').indexOf(line)] ?? '';
}

/** Returns the ticked steps (days relative to the due date), or why they are invalid. */
export function stepsOf(lines: ScheduleLine[]): { steps: number[] } | { problem: string } {
  const ticked = lines.filter(({ isOn }) => isOn);
  const days = ticked.map(({ when, days: typed }) => (when === 'on' ? 0 : /^\d+$/.test(typed) ? Number(typed) : 0));
  if (
    ticked.some(({ when }, index) => when !== 'on' && !((days[index] ?? 0) >= 1 && (days[index] ?? 0) <= MAX_STEP_DAYS))
  )
    return { problem: `Days are numbers from 1 to ${MAX_STEP_DAYS}.` };
  if (ticked.length > MAX_STEPS) return { problem: `At most ${MAX_STEPS} reminders.` };
  const steps = ticked.map(({ when }, index) => signOf(when) * (days[index] ?? 0) || 0);
  if (new Set(steps).size < steps.length) return { problem: 'Two reminders are on the same day.' };
  return { steps: steps.sort((a, b) => a - b) };
}

/** Returns for example "Reminders go out 3 days before, on and 7 days after the due date." Needs at least one step. */
export const describeSteps = (steps: number[]): string => `Reminders go out ${describeDays(steps)}.`;

/** The total number of reminders in a forecast. */
export const totalOf = ({ before, on, after }: Forecast): number => before + on + after;

/** Returns for example "Next: 11 invoices on Nov 30, 2026." */
export const describeNext = (next: Forecast): string => {
  const total = totalOf(next);
  return `Next: ${total === 1 ? '1 invoice' : `${total} invoices`} on ${formatDay(next.day)}.`;
};

/** A weekend delays emails by up to two days, which can widen a gap that is slightly too short. */
const WEEKEND_DAYS = 2;

/** Explains which steps an invoice misses because the previous reminder is too recent. Empty if there are none. */
export function describeMissed(steps: number[]): string {
  const groups: { first: number; missed: number[] }[] = [];
  for (const step of steps.toSorted((a, b) => a - b)) {
    const group = groups.at(-1);
    if (group && step - group.first < MIN_GAP_DAYS) group.missed.push(step);
    else groups.push({ first: step, missed: [] });
  }
  const sentences = groups
    .filter(({ missed }) => missed.length > 0)
    .map(({ first, missed }) => {
      const isCertain = missed.every((step) => step - first < MIN_GAP_DAYS - WEEKEND_DAYS);
      return `An invoice reminded ${describeDays([first])} ${isCertain ? 'gets' : 'usually gets'} no reminder ${describeDays(missed)}.`;
    });
  return sentences.length > 0
    ? [`Two reminders of an invoice are at least ${MIN_GAP_DAYS} days apart.`, ...sentences].join(' ')
    : '';
}
