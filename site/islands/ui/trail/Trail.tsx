import { useState } from 'react';
import type { AuditEventItem, AuditView } from '#shared/contracts/staff/audit';
import { formatCount } from '#shared/text/format-count';
import { Banner } from '../feedback/Banner.tsx';
import { Button } from '../form/Button.tsx';
import { formatMoment } from '../format-moment.ts';
import { Icon } from '../Icon.tsx';
import { TrailFilters } from './TrailFilters.tsx';
import { TrailSeal, TrailVerified } from './TrailSeal.tsx';
import { type TrailCalls, type TrailQuery, type TrailScope, type TrailView, trailFilters, useTrail } from './trail.ts';
import '#site/styles/parts/page/card.css';
import '#site/styles/parts/form/choices.css';
import '#site/styles/parts/feedback/disclosure.css';
import '#site/styles/parts/trail/trail.css';

type EventProps = { event: AuditEventItem; onShow(query: TrailQuery): void };

/** One event as a row with its time and action. Expanding it shows the full record. */
export function TrailEvent({ event, onShow }: EventProps) {
  const { seq, at, sentence, subject, person } = event;
  const eventSuffix = `of event ${seq}`;
  return (
    <li className="trail-event">
      <details className="trail-details">
        <summary className="trail-row">
          <span className="trail-when">
            <span className="trail-number">
              <span className="sr-only">Event </span>
              {seq}
            </span>{' '}
            <time dateTime={at}>{formatMoment(at)}</time>
          </span>{' '}
          <span className="trail-what">{sentence}</span>{' '}
          <span className="trail-more">
            <span className="trail-more-word" aria-hidden="true">
              Details
            </span>
            <span className="sr-only">Details {eventSuffix}</span>
            <Icon name="chevronDown" size="sm" />
          </span>
        </summary>
        <div className="trail-record">
          <dl>
            {detailsOf(event).map(([name, value]) => (
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
                <span className="sr-only"> {eventSuffix}</span>
              </button>
            )}
            <button type="button" className="text-button" onClick={() => onShow({ person })}>
              Only {event.name}
              <span className="sr-only"> {eventSuffix}</span>
            </button>
          </div>
        </div>
      </details>
    </li>
  );
}

const NO_VALUE = 'nothing';

function detailsOf({ action, subject, changes, session, address }: AuditEventItem): [name: string, value: string][] {
  const details: [string, string][] = [
    ['Action', action],
    [subject.kind ? `Id of the ${subject.kind.replaceAll('-', ' ')}` : 'Id', subject.id],
    ...changes.map(({ field, before, after }): [string, string] => [
      field,
      before === null || before === after ? after || NO_VALUE : `from ${before || NO_VALUE} to ${after || NO_VALUE}`,
    ]),
    ['Session', session],
    ['Hashed address', address],
  ];
  return details.filter(([, value]) => value !== '');
}

type Props = { calls: TrailCalls; scope: TrailScope };

/** An audit trail with filters, one page of events and the result of its verification. */
export function Trail({ calls, scope }: Props) {
  const trail = useTrail(calls);
  const { query, view, failure, isLoading } = trail;
  if (failure?.isForbidden) return <Banner tone="note">{failure.message}</Banner>;
  return (
    <div className="trail">
      <p className="app-quiet">
        All actions {scope.actionScope}, newest first. The trail is tamper-evident: it shows if an event was changed,
        removed or added later.
      </p>
      {failure && (
        <Banner
          tone="warn"
          role="alert"
          lead="The audit trail could not be loaded."
          actions={
            <button
              type="button"
              className="text-button"
              aria-disabled={isLoading || undefined}
              onClick={() => !isLoading && trail.reload()}
            >
              Retry
            </button>
          }
        >
          {failure.message}
        </Banner>
      )}
      {/* Takes the place of the verification result, so that the content below does not move. */}
      {!view && !failure && (
        <p role="status" className="app-quiet trail-verified">
          Loading...
        </p>
      )}
      {view && <TrailVerified view={view} advice={scope.mismatchAdvice} />}
      <TrailFilters
        key={trailFilters.map((name) => query[name]).join(' ')}
        scope={scope}
        query={query}
        people={view?.people ?? []}
        onShow={trail.show}
      />
      {view && !failure && <Events trail={trail} view={view} calls={calls} />}
      {view && <TrailSeal view={view} calls={calls} />}
    </div>
  );
}

type EventsProps = { trail: TrailView; view: AuditView; calls: TrailCalls };

function Events({ trail, view, calls }: EventsProps) {
  const { query, isLoading, show } = trail;
  const { events, next, looked_back_to } = view;
  const isFiltered = trailFilters.some((name) => query[name]);
  return (
    <section aria-label="Events" aria-busy={isLoading || undefined} className={isLoading ? 'trail-reading' : undefined}>
      <p role="status" className="sr-only">
        {isLoading ? 'Loading...' : describeCount(view, query, isFiltered)}
      </p>
      {events.length === 0 && !looked_back_to && (
        <p>{isFiltered || query.before ? 'No matching events.' : 'Nothing was recorded yet.'}</p>
      )}
      <ol className="trail-events">
        {events.map((event) => (
          <TrailEvent key={event.seq} event={event} onShow={show} />
        ))}
      </ol>
      {looked_back_to && <p className="app-quiet">Looked back to {formatMoment(looked_back_to)}.</p>}
      <div className="trail-pages">
        {query.before && <Button onClick={() => show({ ...query, before: '' })}>Newest events</Button>}
        {next !== null && (
          <Button onClick={() => show({ ...query, before: String(next) })}>
            {looked_back_to ? 'Look further back' : 'Older events'}
          </Button>
        )}
        {(events.length > 0 || next !== null) && <SaveCsv calls={calls} query={query} isFiltered={isFiltered} />}
      </div>
    </section>
  );
}

/** Describes how many of the trail's events are shown. */
function describeCount(
  { events, next, head, unsealed }: AuditView,
  { before }: TrailQuery,
  isFiltered: boolean,
): string {
  const shownCount = events.length;
  if (isFiltered)
    return `${formatCount(shownCount, 'matching event')}${next === null ? '' : '; there may be older ones'}`;
  const total = (head?.count ?? 0) + unsealed;
  if (shownCount >= total) return formatCount(shownCount, 'event');
  if (before) return `Showing ${formatCount(shownCount, 'older event')} of ${total.toLocaleString('en-US')}`;
  return `Showing ${shownCount} of ${formatCount(total, 'event')}`;
}

function SaveCsv({ calls, query, isFiltered }: { calls: TrailCalls; query: TrailQuery; isFiltered: boolean }) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const save = async () => {
    setBusy(true);
    setFailure(await calls.saveCsv(query));
    setBusy(false);
  };
  return (
    <>
      <Button busy={isBusy} onClick={() => void save()}>
        <Icon name="download" size="sm" />
        Export {isFiltered ? 'matching events' : 'all'} as CSV
      </Button>
      {failure && (
        <Banner tone="warn" role="alert" lead="The file could not be saved." onDismiss={() => setFailure('')}>
          {failure}
        </Banner>
      )}
    </>
  );
}
