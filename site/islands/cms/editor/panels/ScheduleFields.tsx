import type { ArticleStatus } from '#shared/contracts/content/content';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { fromField, toField, zoneAt } from '../local-time.ts';

/** ISO instants; null: no such time. */
export type Times = { startsAt: string | null; endsAt: string | null };
type Props = { status: ArticleStatus; times: Times; onTimes(times: Times): void };

/** When a draft goes live by itself, and when it leaves the site again. */
export function ScheduleFields({ status, times, onTimes }: Props) {
  const { startsAt, endsAt } = times;
  const zone = zoneAt(new Date(startsAt ?? endsAt ?? Date.now()));
  const isDraft = status === 'DRAFT';
  return (
    <>
      {isDraft && (
        <Field
          id="starts-at"
          type="datetime-local"
          label="Goes live by itself at"
          optional="(optional)"
          hint={`Your time (${zone}), within two minutes.`}
          value={toField(startsAt)}
          onChange={({ target }) => onTimes({ ...times, startsAt: fromField(target.value) })}
        />
      )}
      {(!isDraft || startsAt !== null) && (
        <Field
          id="ends-at"
          type="datetime-local"
          label="Leaves the site at"
          optional="(optional)"
          hint={`Your time (${zone}), with the build that follows.`}
          value={toField(endsAt)}
          onChange={({ target }) => onTimes({ ...times, endsAt: fromField(target.value) })}
        />
      )}
    </>
  );
}
