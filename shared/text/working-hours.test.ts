import { describe, expect, it } from 'vitest';
import { mayWriteAt, nextSendingTime, sendingTime, workingDayFrom } from './working-hours.ts';

const at = (text: string) => Date.parse(text);
const NEW_YORK = 'America/New_York';

describe('the time of sending', () => {
  it.each([
    ['2026-03-06', '2026-03-06T14:00:00Z'],
    ['2026-03-08', '2026-03-08T13:00:00Z'],
    ['2026-03-09', '2026-03-09T13:00:00Z'],
    ['2026-10-30', '2026-10-30T13:00:00Z'],
    ['2026-11-01', '2026-11-01T14:00:00Z'],
  ])('of %s is nine by the clock of the place, also on the day on which it changes', (day, instant) => {
    expect(sendingTime(day, NEW_YORK)).toBe(at(instant));
  });

  it('comes on the next working day, over a weekend and a clock change', () => {
    expect(nextSendingTime(at('2026-03-06T13:59:59Z'), NEW_YORK)).toBe(at('2026-03-06T14:00:00Z'));
    expect(nextSendingTime(at('2026-03-06T14:00:00Z'), NEW_YORK)).toBe(at('2026-03-09T13:00:00Z'));
    expect(workingDayFrom('2026-03-07')).toBe('2026-03-09');
  });
});

describe('a mail by itself', () => {
  it.each([
    ['2026-03-09T11:59:59Z', false],
    ['2026-03-09T12:00:00Z', true],
    ['2026-03-10T00:59:59Z', true],
    ['2026-03-10T01:00:00Z', false],
    ['2026-03-07T16:00:00Z', false],
  ])('at %s in New York: %s', (instant, may) => {
    expect(mayWriteAt(at(instant), NEW_YORK)).toBe(may);
  });
});
