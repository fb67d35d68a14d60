import { describe, expect, it } from 'vitest';
import { describeMissed, describeSteps, isFull, linesOf, nameOf, stepsOf, withExtraLine } from './reminder-schedule.ts';

describe('reminder schedule', () => {
  it('starts with the default steps and keeps saved steps', () => {
    expect(stepsOf(linesOf([]))).toEqual({ steps: [-3, 0, 7] });
    expect(stepsOf(linesOf([14, -5]))).toEqual({ steps: [-5, 14] });
    const lines = linesOf([-5, 14]);
    expect(lines.map((line) => nameOf(line, lines))).toEqual(['Before', 'On the day', 'First']);
  });

  it.each([
    [[-3, 0, 7], 'Reminders go out 3 days before, on and 7 days after the due date.'],
    [[7, -1], 'Reminders go out 1 day before and 7 days after the due date.'],
    [[-3, 0, 7, 14], 'Reminders go out 3 days before, on, 7 and 14 days after the due date.'],
    [[-7, -1, 5], 'Reminders go out 7 and 1 day before and 5 days after the due date.'],
    [[0], 'Reminders go out on the due date.'],
  ])('describes the steps %j in a sentence', (steps, sentence) => {
    expect(describeSteps(steps)).toBe(sentence);
  });

  it.each([
    [[0, 7, 14], ''],
    [
      [-3, 0, 7],
      'Two reminders of an invoice are at least 7 days apart. An invoice reminded 3 days before the due date gets no reminder on the due date.',
    ],
    [
      [-7, 1, 3, 7],
      'Two reminders of an invoice are at least 7 days apart. An invoice reminded 1 day after the due date usually gets no reminder 3 and 7 days after the due date.',
    ],
  ])('explains which of the steps %j are too close together', (steps, sentence) => {
    expect(describeMissed(steps)).toBe(sentence);
  });

  it('allows a fourth step but not a fifth', () => {
    const lines = withExtraLine(linesOf([]));
    expect(stepsOf(lines)).toEqual({ steps: [-3, 0, 7, 14] });
    expect(isFull(lines)).toBe(true);
  });

  it.each([
    ['0', 'Days are numbers from 1 to 90.'],
    ['7.5', 'Days are numbers from 1 to 90.'],
    ['91', 'Days are numbers from 1 to 90.'],
    ['14', 'Two reminders are on the same day.'],
  ])('rejects a step %s days after the due date if another is at 14 days', (days, problem) => {
    const lines = withExtraLine(linesOf([])).map((line) => (line.days === '7' ? { ...line, days } : line));
    expect(stepsOf(lines)).toEqual({ problem });
  });
});
