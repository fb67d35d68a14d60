import { describe, expect, it } from 'vitest';
import { mayEmailAt, nextSendingTime, sendingTime, workingDayFrom } from './working-hours.ts';

const at = (text: string) => Date.parse(text);
const NEW_YORK = 'America/New_York';

describe('the sending time', () => {
  it.each([
    ['2026-03-06', '2026-03-06T14:00:00Z'],
    ['2026-03-08', '2026-03-08T13:00:00Z'],
    ['2026-03-09', '2026-03-09T13:00:00Z'],
    ['2026-10-30', '2026-10-30T13:00:00Z'],
    ['2026-11-01', '2026-11-01T14:00:00Z'],
  ])('is 9 a.m. local time on %s, even when the clocks change that day', (day, instant) => {
    expect(sendingTime(day, NEW_YORK)).toBe(at(instant));
  });

  it('moves to the next working day, across a weekend and a clock change', () => {
    expect(nextSendingTime(at('2026-03-06T13:59:59Z'), NEW_YORK)).toBe(at('2026-03-06T14:00:00Z'));
    expect(nextSendingTime(at('2026-03-06T14:00:00Z'), NEW_YORK)).toBe(at('2026-03-09T13:00:00Z'));
    expect(workingDayFrom('2026-03-07')).toBe('2026-03-09');
  });
});

describe('automatic emails', () => {
  it.each([
    ['2026-03-09T11:59:59Z', false],
    ['2026-03-09T12:00:00Z', true],
    ['2026-03-10T00:59:59Z', true],
    ['2026-03-10T01:00:00Z', false],
    ['2026-03-07T16:00:00Z', false],
  ])('may be sent to New York at %s: %s', (instant, isAllowed) => {
    expect(mayEmailAt(at(instant), NEW_YORK)).toBe(isAllowed);
  });
});
