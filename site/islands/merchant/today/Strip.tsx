import { useId } from 'react';
import type { Today } from '#shared/contracts/payments/today';
import { addDays, daysBetween } from '#shared/text/local-day';
import { todayLocal } from '#site/islands/ui/format-moment.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { centsOf, dayLetter, describeLastWeek, formatDollars, longDay, shortDay } from './words.ts';
import '#site/styles/areas/merchant/strip.css';

const DAY_COUNT = 14;
/** The index of the same weekday in the previous week. */
const SAME_WEEKDAY = DAY_COUNT - 8;
const TODAY_INDEX = DAY_COUNT - 1;

/** Returns the CSS class of a day's bar. A day with more refunds than payments gets a mark below the line instead. */
const barClassOf = (cents: number) => (cents > 0 ? 'strip-fill' : cents < 0 ? 'strip-minus' : 'strip-fill strip-none');

/**
 * The takings of the last fourteen days as bars, which link to the details of each day. A mark shows the takings of the
 * same weekday last week until this time of day.
 */
export function TakingsStrip({ today }: { today: Today | null }) {
  const id = useId();
  const lastDay = today?.day ?? todayLocal();
  const days =
    today?.days ?? daysBetween(addDays(lastDay, 1 - DAY_COUNT), lastDay).map((day) => ({ day, amount: '0.00' }));
  const lastWeekCents = centsOf(today?.before ?? '0.00');
  const max = Math.max(1, lastWeekCents, ...days.map(({ amount }) => centsOf(amount)));
  const heightOf = (cents: number) => `${Math.max(0, (100 * cents) / max)}%`;
  const markLabel = today?.before != null ? `the mark: ${describeLastWeek(today)}` : '';
  return (
    <figure className="strip" aria-labelledby={id}>
      <figcaption id={id} className="sr-only">
        Taken in the last {DAY_COUNT} days
      </figcaption>
      <ol className="strip-days">
        {days.map(({ day, amount }, index) => (
          <li
            key={day}
            className={index === TODAY_INDEX ? 'strip-today' : index === SAME_WEEKDAY ? 'strip-same' : undefined}
          >
            <AppLink
              className="strip-day"
              href={`/takings?date=${day}`}
              aria-label={today ? `${longDay(day)}, ${formatDollars(amount)}` : longDay(day)}
            >
              <span className="strip-bar">
                <span
                  className={barClassOf(centsOf(amount))}
                  style={{ height: today && centsOf(amount) >= 0 ? heightOf(centsOf(amount)) : undefined }}
                />
                {index === SAME_WEEKDAY && markLabel && (
                  <span className="strip-mark" style={{ bottom: heightOf(lastWeekCents) }} />
                )}
              </span>
              {dayLetter(day)}
            </AppLink>
          </li>
        ))}
      </ol>
      <p className="strip-note" aria-hidden="true">
        <span>{shortDay(days[0]?.day ?? lastDay)}</span>
        <span>{markLabel}</span>
        <span>Today</span>
      </p>
      <details className="strip-table">
        <summary>
          Show as table<span className="sr-only">: the last {DAY_COUNT} days</span>
        </summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Taken</th>
            </tr>
          </thead>
          <tbody>
            {today?.days.map(({ day, amount }) => (
              <tr key={day}>
                <th scope="row">{longDay(day)}</th>
                <td className="money">{formatDollars(amount)}</td>
              </tr>
            ))}
            {today?.before != null && (
              <tr>
                <th scope="row">{describeLastWeek(today).replace('last', 'Last')}</th>
                <td className="money">{formatDollars(today.before)}</td>
              </tr>
            )}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
