import { Fragment, type ReactNode } from 'react';
import { type AcknowledgeBody, type AlertItem, OperatorOverview } from '#shared/contracts/operators/operator';
import { formatBytes } from '#shared/text/format-bytes';
import { formatCount } from '#shared/text/format-count';
import { sendJson } from '../ui/api/api-client.ts';
import { readWith } from '../ui/api/parse-response.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { ConfirmedAction } from '../ui/feedback/ConfirmedAction.tsx';
import { Button } from '../ui/form/Button.tsx';
import { formatSince, formatTime } from '../ui/format-moment.ts';
import { Icon } from '../ui/Icon.tsx';
import { AppLink } from '../ui/routing/router.tsx';
import { doneMessage, readDone, sendAction, usePolledView } from './api.ts';
import { Payments } from './Payments.tsx';
import { Steps } from './Steps.tsx';
import { Vitals } from './Vitals.tsx';
import { problemTexts } from './words.ts';

const readOverview = readWith(OperatorOverview);
const REFRESH_MS = 30_000;

/** An overview of the installation, refreshed every 30 seconds. */
export function Overview() {
  const { data, failure, isLoading, refresh } = usePolledView('overview', readOverview, REFRESH_MS);
  const time = data ? formatTime(new Date(data.at)) : '';
  return (
    <div className="op-page">
      <div className="op-head">
        <h1 tabIndex={-1}>Overview</h1>
        {data && <p className="op-sub">As of {time}, refreshed every 30 s</p>}
        <Button busy={isLoading} onClick={() => void refresh()}>
          Refresh
        </Button>
      </div>
      {failure && (
        <Banner tone="bad" lead="Could not be refreshed.">
          {failure} {data && `These figures are from ${time}.`}
        </Banner>
      )}
      {!data && !failure && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
      {data && <Sections overview={data} refresh={() => void refresh()} />}
    </div>
  );
}

function Sections({ overview, refresh }: { overview: OperatorOverview; refresh(): void }) {
  const { alerts, sums, vendors, trail, verified } = overview;
  return (
    <>
      <Status overview={overview} refresh={refresh} />
      <Vitals overview={overview} />
      <Part title="Alerts" id="alerts">
        {alerts.length === 0 && <p className="app-quiet">There are no open alerts.</p>}
        {alerts.length > 0 && (
          <ul className="op-rows">
            {alerts.map((alert) => (
              <Alert key={alert.key} alert={alert} onDone={refresh} />
            ))}
          </ul>
        )}
      </Part>
      <div className="op-two">
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
        <Part title="Audit trail" id="trail">
          <ol className="op-trail">
            {trail.map(({ seq, at, sentence }) => (
              <li key={seq}>
                <time dateTime={at}>{formatSince(at)}</time> <span>{sentence}</span>
              </li>
            ))}
          </ol>
          <p className="op-sub">{describeChain(verified)}</p>
          <AppLink href="/operator/audit">All events</AppLink>
        </Part>
      </div>
      <p className="op-sub">
        {formatCount(sums.clinics, 'clinic')} with {formatBytes(sums.bytes)} of records.
      </p>
    </>
  );
}

type StatusProps = { overview: OperatorOverview; refresh(): void };

/** The worst problem of the installation as a headline, with the others and the payments switch below. */
function Status({ overview: { problems, payments }, refresh }: StatusProps) {
  const [worstProblem, ...otherProblems] = problems.map(({ kind, n }) => {
    const { tone, text, to } = problemTexts[kind];
    return { kind, tone, text: text(n), to };
  });
  return (
    <section className={`card op-status op-status-${worstProblem?.tone ?? 'ok'}`} aria-label="Status">
      <p className="op-verdict">
        <Icon name={worstProblem ? 'alert' : 'circleCheck'} />
        {worstProblem ? (
          <StatusLink to={worstProblem.to}>{worstProblem.text}</StatusLink>
        ) : (
          'Nothing needs your attention'
        )}
      </p>
      {otherProblems.length > 0 && (
        <ul aria-label="Also">
          {otherProblems.map(({ kind, tone, text, to }) => (
            <li key={kind} className={`op-status-${tone}`}>
              <Icon name={tone === 'note' ? 'info' : 'warn'} size="sm" />
              <StatusLink to={to}>{text}</StatusLink>
            </li>
          ))}
        </ul>
      )}
      <Payments payments={payments} onDone={refresh} />
    </section>
  );
}

/** A link to another page, or to a part of this one. */
const StatusLink = ({ to, children }: { to: string; children: string }) =>
  to.startsWith('#') ? <a href={to}>{children}</a> : <AppLink href={to}>{children}</AppLink>;

const describeChain = (verified: OperatorOverview['verified']): string => {
  if (!verified) return 'The chain was not checked yet.';
  if (verified.problem) return `The chain does not agree: ${verified.problem}`;
  return `Each line is chained to the one before it; the chain was checked ${formatSince(verified.at)} and is whole.`;
};

const Part = ({ title, id, children }: { title: string; id?: string; children: ReactNode }) => (
  <section className="op-part" aria-label={title} id={id}>
    <h2>{title}</h2>
    <div className="card">{children}</div>
  </section>
);

function Alert({ alert, onDone }: { alert: AlertItem; onDone(): void }) {
  const { key, event, subject, says, first_at, last_at, n, acked_at, acked_by, facts, steps } = alert;
  const name = event.replaceAll('-', ' ');
  return (
    <li>
      <div className="op-main">
        <strong>{says}</strong>
        <span className="op-sub">
          {event}
          {subject && `, ${subject}`}
        </span>
        <AffectedClinics alert={alert} />
        {facts.length > 0 && (
          <span className="op-sub">{facts.map(({ name: fact, value }) => `${fact}: ${value}`).join(', ')}</span>
        )}
        <span className="op-sub">
          since {formatSince(first_at)}, last seen {formatSince(last_at)}, {formatCount(n, 'time')}
        </span>
        <Steps event={event} steps={steps} />
      </div>
      {acked_at ? (
        <span className="op-sub">
          Acknowledged by {acked_by}, {formatSince(acked_at)}
        </span>
      ) : (
        <ConfirmedAction
          label="Acknowledge"
          labelSuffix={name}
          title={`Acknowledge "${name}"?`}
          confirmLabel="Acknowledge"
          runAction={() => sendAction('alerts/acknowledgement', readDone, sendJson<AcknowledgeBody>('POST', { key }))}
          successText={doneMessage}
          onDone={onDone}
        >
          <p>
            Your name is shown beside it. It is sent again only if another clinic is affected, and closes automatically
            once its cause is gone.
          </p>
        </ConfirmedAction>
      )}
    </li>
  );
}

/** The clinics of an alert, each with its account as in the alert's message. */
function AffectedClinics({ alert: { clinics, accounts } }: { alert: AlertItem }) {
  const otherCount = accounts - clinics.length;
  if (clinics.length === 0) return null;
  return (
    <span className="op-sub">
      at{' '}
      {clinics.map(({ number, account, name }, index) => (
        <Fragment key={number}>
          {index > 0 && ', '}
          <AppLink href={`/operator/clinics/${number}`}>{name || `Clinic ${number}`}</AppLink> ({account})
        </Fragment>
      ))}
      {otherCount > 0 && ` and ${formatCount(otherCount, 'other')}`}
    </span>
  );
}
