import type { ArticleStatus } from '#shared/contracts/content/content';
import { Field } from '#site/islands/ui/form/Field.tsx';

/** Conversions for datetime-local fields, which have no time zone. Their values are in the reader's time zone. */

const pad = (part: number) => String(part).padStart(2, '0');

/** "2026-11-30T09:00" in the reader's zone; '' for null. */
export function toFieldValue(iso: string | null): string {
  if (iso === null) return '';
  const date = new Date(iso);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** The ISO instant; null for an empty or incomplete entry. */
export function parseFieldValue(text: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return null;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** The reader's time zone at that moment: "GMT+1". */
export const zoneAt = (date: Date): string =>
  new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** The time zone on the field's date, which may differ from today's; today's for an empty field. */
export const zoneOf = (iso: string | null): string => zoneAt(iso === null ? new Date() : new Date(iso));

/** ISO instants; null if not scheduled. */
export type Times = { startsAt: string | null; endsAt: string | null };
type Props = { status: ArticleStatus; times: Times; onTimes(times: Times): void };

/** Fields for the times when an article is published and when it is removed from the site. */
export function ScheduleFields({ status, times, onTimes }: Props) {
  const { startsAt, endsAt } = times;
  const isDraft = status === 'DRAFT';
  return (
    <>
      {isDraft && (
        <Field
          id="starts-at"
          type="datetime-local"
          label="Goes live at"
          optional="(optional)"
          hint={`Your time (${zoneOf(startsAt)}), within two minutes.`}
          value={toFieldValue(startsAt)}
          onChange={({ target }) => onTimes({ ...times, startsAt: parseFieldValue(target.value) })}
        />
      )}
      {(!isDraft || startsAt !== null) && (
        <Field
          id="ends-at"
          type="datetime-local"
          label="Leaves the site at"
          optional="(optional)"
          hint={`Your time (${zoneOf(endsAt)}), with the build that follows.`}
          value={toFieldValue(endsAt)}
          onChange={({ target }) => onTimes({ ...times, endsAt: parseFieldValue(target.value) })}
        />
      )}
    </>
  );
}
