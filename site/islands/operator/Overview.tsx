import { Fragment, type ReactNode } from 'react';
import { type AcknowledgeBody, type AlertItem, OperatorOverview } from '#shared/contracts/operators/operator';
import { sendJson } from '../ui/api/api-client.ts';
import { readWith } from '../ui/api/parse-response.ts';
import { Act } from '../ui/feedback/Act.tsx';
import { Banner } from '../ui/feedback/Banner.tsx';
import { Button } from '../ui/form/Button.tsx';
import { formatSince, formatTime } from '../ui/format-moment.ts';
import { AppLink } from '../ui/routing/router.tsx';
import { act, readDone, toldBy, usePolledView } from './api.ts';
import { Mails } from './Mails.tsx';
import { Payments } from './Payments.tsx';
import { Vitals } from './Vitals.tsx';
import { counted, formatBytes } from './words.ts';

const readOverview = readWith(OperatorOverview);
const EVERY_MS = 30_000;

/** An overview of the installation, refreshed every 30 seconds. */
export function Overview() {
  const { seen, failure, isLooking, again } = usePolledView('overview', readOverview, EVERY_MS);
  const at = seen ? formatTime(new Date(seen.at)) : '';
  return (
    <div className="op-page">
      <div className="op-head">
        <h1 tabIndex={-1}>Overview</h1>
        {seen && <p className="op-sub">Looked at {at}, again in 30 s</p>}
        <Button busy={isLooking} onClick={() => void again()}>
          Look again
        </Button>
      </div>
      {failure && (
        <Banner tone="bad" lead="Could not look again.">
          {failure} {seen && `The numbers are from ${at}.`}
        </Banner>
      )}
      {!seen && !failure && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
      {seen && <Seen seen={seen} again={() => void again()} />}
    </div>
  );
}

function Seen({ seen, again }: { seen: OperatorOverview; again(): void }) {
  const { alerts, sums, mails, vendors, trail, verified } = seen;
  const open = alerts.filter(({ acked_at }) => acked_at === null).length;
  return (
    <>
      <p className="op-verdict">
        {open > 0 ? `${counted(open, 'alert')} ${open === 1 ? 'waits' : 'wait'} for you` : 'Nothing waits for you'}
      </p>
      <Payments payments={seen.payments} onDone={again} />
      <Vitals seen={seen} onDone={again} />
      <div className="op-two">
        <Part title="Alerts">
          {alerts.length === 0 && <p className="app-quiet">No alert stands.</p>}
          {alerts.length > 0 && (
            <ul className="op-rows">
              {alerts.map((alert) => (
                <Alert key={alert.key} alert={alert} onDone={again} />
              ))}
            </ul>
          )}
        </Part>
        <Part title="Last heard from">
          <ul className="op-rows">
            {vendors.map(({ name, is_measured, heard_at, what }) => (
              <li key={name}>
                <span className="op-main">
                  <strong>{name}</strong>
                  <span className="op-sub">{what}</span>
                </span>
                <span>{heard_at ? formatSince(heard_at) : is_measured ? 'not yet' : 'not measured'}</span>
              </li>
            ))}
          </ul>
        </Part>
      </div>
      <Part title="Mails of the installation">
        <Mails mails={mails} clinic={0} onDone={again} />
      </Part>
      <Part title="Audit trail">
        <ol className="op-trail">
          {trail.map(({ seq, at, sentence }) => (
            <li key={seq}>
              <time dateTime={at}>{formatSince(at)}</time> <span>{sentence}</span>
            </li>
          ))}
        </ol>
        <p className="op-sub">{chain(verified)}</p>
      </Part>
      <p className="op-sub">
        {counted(sums.clinics, 'clinic')} with {formatBytes(sums.bytes)} of records.
      </p>
    </>
  );
}

const chain = (verified: OperatorOverview['verified']): string => {
  if (!verified) return 'The chain was not checked yet.';
  if (verified.problem) return `The chain does not agree: ${verified.problem}`;
  return `Each line is chained to the one before it; the chain was checked ${formatSince(verified.at)} and is whole.`;
};

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="op-part" aria-label={title}>
    <h2>{title}</h2>
    <div className="card">{children}</div>
  </section>
);

function Alert({ alert, onDone }: { alert: AlertItem; onDone(): void }) {
  const { key, event, subject, says, first_at, last_at, n, acked_at, acked_by, facts } = alert;
  const name = event.replaceAll('-', ' ');
  return (
    <li>
      <span className="op-main">
        <strong>{says}</strong>
        <span className="op-sub">
          {event}
          {subject && `, ${subject}`}
        </span>
        <Touched alert={alert} />
        {facts.length > 0 && (
          <span className="op-sub">{facts.map(({ name: fact, value }) => `${fact}: ${value}`).join(', ')}</span>
        )}
        <span className="op-sub">
          since {formatSince(first_at)}, last seen {formatSince(last_at)}, {counted(n, 'time')}
        </span>
      </span>
      {acked_at ? (
        <span className="op-sub">
          {acked_by} since {formatSince(acked_at)}
        </span>
      ) : (
        <Act
          label="Acknowledge"
          about={name}
          title={`Take on "${name}"?`}
          verb="Acknowledge"
          run={() => act('alerts/acknowledgement', readDone, sendJson<AcknowledgeBody>('POST', { key }))}
          done={toldBy}
          onDone={onDone}
        >
          <p>
            Your name stands at it. It is told again only when another clinic is touched, and closes by itself once its
            cause is gone.
          </p>
        </Act>
      )}
    </li>
  );
}

/** The clinics of an alert, each with the account from the alert's message. */
function Touched({ alert: { clinics, accounts } }: { alert: AlertItem }) {
  const more = accounts - clinics.length;
  if (clinics.length === 0) return null;
  return (
    <span className="op-sub">
      at{' '}
      {clinics.map(({ number, account, name }, at) => (
        <Fragment key={number}>
          {at > 0 && ', '}
          <AppLink href={`/operator/clinics/${number}`}>{name || `Clinic ${number}`}</AppLink> ({account})
        </Fragment>
      ))}
      {more > 0 && ` and ${counted(more, 'other')}`}
    </span>
  );
}
