import type { AuditEventItem } from '#shared/contracts/audit';
import { formatMoment } from '../format-moment.ts';
import type { TrailQuery } from './trail.ts';

type Props = { event: AuditEventItem; onShow(query: TrailQuery): void };

/** One event: when and what, and on demand all that was recorded. */
export function TrailEvent({ event, onShow }: Props) {
  const { seq, at, sentence, subject, person } = event;
  const about = `of event ${seq}`;
  return (
    <li className="trail-event">
      <p className="trail-when">
        <span className="trail-number">
          <span className="sr-only">Event </span>
          {seq}
        </span>
        <time dateTime={at}>{formatMoment(at)}</time>
      </p>
      <p className="trail-what">{sentence}</p>
      <details className="trail-details">
        <summary>
          Details<span className="sr-only"> {about}</span>
        </summary>
        <dl>
          {factsOf(event).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <div className="trail-only">
          {subject.id && (
            <button type="button" className="text-button" onClick={() => onShow({ about: subject.id })}>
              Only this {subject.kind.replaceAll('-', ' ')}
              <span className="sr-only"> {about}</span>
            </button>
          )}
          <button type="button" className="text-button" onClick={() => onShow({ person })}>
            Only {event.name}
            <span className="sr-only"> {about}</span>
          </button>
        </div>
      </details>
    </li>
  );
}

const NONE = 'nothing';

function factsOf({ action, subject, changes, session, address }: AuditEventItem): [name: string, value: string][] {
  const facts: [string, string][] = [
    ['Act', action],
    [subject.kind ? `Id of the ${subject.kind.replaceAll('-', ' ')}` : 'Id', subject.id],
    ...changes.map(({ field, before, after }): [string, string] => [
      field,
      before === null || before === after ? (after ?? NONE) : `from ${before || NONE} to ${after ?? NONE}`,
    ]),
    ['Session', session],
    ['Hashed address', address],
  ];
  return facts.filter(([, value]) => value !== '');
}
