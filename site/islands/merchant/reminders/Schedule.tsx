import type { ReactNode } from 'react';
import { type Forecast, MAX_STEP_DAYS } from '#shared/contracts/payments/reminders';
import { describeDays } from '#shared/text/reminder-steps';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { useLoad } from '../common/use-load.tsx';
import {
  describeMissed,
  fetchForecast,
  isFull,
  nameOf,
  type ScheduleLine,
  type stepsOf,
  totalOf,
  withExtraLine,
} from './reminder-schedule.ts';

type Props = {
  areRemindersOn: boolean;
  lines: ScheduleLine[];
  selection: ReturnType<typeof stepsOf>;
  onChange(lines: ScheduleLine[]): void;
};

const TIMING_LABELS = { before: 'days before it is due', on: 'On the day it is due', after: 'days after' } as const;

/** The days of the reminders. Only the ticked ones are sent. */
export function Schedule({ areRemindersOn: isRunning, lines, selection: chosen, onChange }: Props) {
  const update = (line: ScheduleLine, changes: Partial<ScheduleLine>) =>
    onChange(lines.map((other) => (other.id === line.id ? { ...other, ...changes } : other)));
  return (
    <div>
      <p>
        Reminders go out only for invoices that are still open, at 9:00 AM on working days, and at most once in 7 days
        per invoice.
      </p>
      <ul className="reminders-lines">
        {lines.map((line) => {
          const { id, when, days, isOn } = line;
          const name = nameOf(line, lines);
          return (
            <li key={id}>
              <label>
                <input
                  type="checkbox"
                  checked={isOn}
                  disabled={!isOn && isFull(lines)}
                  onChange={(event) => update(line, { isOn: event.target.checked })}
                />
                {when === 'on' ? TIMING_LABELS.on : <span className="sr-only">{`Reminder ${name}`}</span>}
              </label>
              {when !== 'on' && (
                <label>
                  <input
                    className="input"
                    inputMode="numeric"
                    maxLength={String(MAX_STEP_DAYS).length}
                    value={days}
                    aria-label={`${name}: ${TIMING_LABELS[when]}`}
                    onChange={(event) => update(line, { days: event.target.value })}
                  />
                  {TIMING_LABELS[when]}
                </label>
              )}
              <span className="reminders-name">{name}</span>
            </li>
          );
        })}
      </ul>
      {lines.length > 0 && !isFull(lines) && (
        <Button kind="ghost" onClick={() => onChange(withExtraLine(lines))}>
          Add a reminder
        </Button>
      )}
      {isRunning && <p>To turn reminders off, clear all the days and save.</p>}
      <div aria-live="polite">
        {lines.length === 0 ? (
          <ForecastArea text="" />
        ) : 'problem' in chosen ? (
          <ForecastArea text={chosen.problem} />
        ) : chosen.steps.length === 0 ? (
          <ForecastArea text="No day is selected: saving this turns reminders off." />
        ) : (
          <ForecastSummary steps={chosen.steps} />
        )}
      </div>
    </div>
  );
}

/** Reserves space for the forecast, so that nothing below it moves. */
function ForecastArea({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <>
      <p className="reminders-said">{text}</p>
      <div className="reminders-who" aria-live="off">
        {children}
      </div>
    </>
  );
}

function ForecastSummary({ steps }: { steps: number[] }) {
  const { value } = useLoad(steps.join(), 'Failed to fetch the forecast', () => fetchForecast(steps));
  return (
    <ForecastArea text={describeForecast(steps, value)}>
      {value && value.first.length > 0 && (
        <details>
          <summary>Show who gets one</summary>
          <ul>
            {value.first.map(({ id, number, customer, step }) => (
              <li key={`${id} ${step}`}>
                {[number || `Invoice ${id}`, customer].filter(Boolean).join(', ')}: {describeDays([step])}
              </li>
            ))}
          </ul>
          {totalOf(value) > value.first.length && <p>and {totalOf(value) - value.first.length} more</p>}
        </details>
      )}
    </ForecastArea>
  );
}

function describeForecast(steps: number[], value: Forecast | null): string {
  const missed = describeMissed(steps);
  if (!value) return missed;
  const { day, before, on, after } = value;
  const total = totalOf(value);
  const forecast = `With these days ${total === 1 ? '1 invoice is' : `${total} invoices are`} reminded on the next working day, ${formatDay(day).replace(/, \d{4}$/, '')}: ${before} before, ${on} on the day, ${after} after.`;
  return [forecast, missed].filter(Boolean).join(' ');
}
