import { OperatorClinic } from '#shared/contracts/operators/operator';
import { formatBytes } from '#shared/text/format-bytes';
import { formatCount } from '#shared/text/format-count';
import { readWith } from '../ui/api/parse-response.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { ConfirmedAction } from '../ui/feedback/ConfirmedAction.tsx';
import { Button } from '../ui/form/Button.tsx';
import { formatSince } from '../ui/format-moment.ts';
import { AppLink } from '../ui/routing/router.tsx';
import { doneMessage, readDone, sendAction, usePolledView } from './api.ts';
import { ClinicStates } from './ClinicStates.tsx';
import { CloseClinic, ClosingStatus } from './CloseClinic.tsx';
import { Mails } from './Mails.tsx';
import { Steps } from './Steps.tsx';
import { crmFailureTexts } from './words.ts';
import '#site/styles/areas/operator/clinics.css';

const readClinic = readWith(OperatorClinic);
const STATES: Record<string, string> = {
  sent: 'sent, no answer yet',
  unknown: 'outcome unknown; inquiries continue automatically',
  needs_human: 'the clinic decides in Payments to check',
};

const nameOf = ({ name, number }: OperatorClinic['clinic']) => name || `Clinic ${number}`;

/** One clinic: its status, its contact, and its pending items. */
export function ClinicScreen({ number }: { number: number }) {
  const { data, failure, isLoading, refresh } = usePolledView(`clinics/${number}`, readClinic, null);
  const name = data ? nameOf(data.clinic) : 'Clinic';
  return (
    <div className="op-page">
      <p>
        <AppLink href="/operator/clinics">All clinics</AppLink>
      </p>
      <h1 tabIndex={-1}>{name}</h1>
      {failure && <Banner tone="bad" lead={failure} />}
      {!data && !failure && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
      {data && <Details data={data} isLoading={isLoading} refresh={() => void refresh()} />}
    </div>
  );
}

function Details({ data, isLoading, refresh }: { data: OperatorClinic; isLoading: boolean; refresh(): void }) {
  const { clinic, contact, undecided, mails } = data;
  const isErased = clinic.erased_at !== null;
  const name = nameOf(clinic);
  return (
    <>
      <div className="op-head">
        <ClinicStates clinic={clinic} />
        {!isErased && (
          <ConfirmedAction
            label="Wake"
            labelSuffix="this clinic"
            title={`Wake ${name}?`}
            confirmLabel="Wake"
            runAction={() => sendAction(`clinics/${clinic.number}/wake`, readDone, { method: 'POST' })}
            successText={doneMessage}
            onDone={refresh}
          >
            <p>
              Runs all due work now, and asks the card provider again about payments without an outcome and failed
              comparisons. No money moves.
            </p>
          </ConfirmedAction>
        )}
        <Button busy={isLoading} onClick={refresh}>
          Refresh
        </Button>
        {!isErased && (
          <ConfirmedAction
            label="View as clinic"
            title={`View ${name} as its staff do?`}
            confirmLabel="View"
            runAction={() => sendAction(`clinics/${clinic.number}/view`, readDone, { method: 'POST' })}
            successText={doneMessage}
            onDone={() => window.location.assign('/')}
          >
            <p>
              Works only while an administrator of the clinic allows it (in their app, under Help). Nothing can be
              changed, and both audit trails record it. If you are logged in as staff in this browser, that session
              ends.
            </p>
          </ConfirmedAction>
        )}
      </div>
      {!isErased && !contact && (
        <Banner tone="warn" lead="The clinic’s own records could not be read." role="status">
          This page shows its last report.
        </Banner>
      )}
      {data.crm_failure && (
        <Banner tone="warn" lead="The CRM sync fails" role="status">
          {crmFailureTexts[data.crm_failure]}
        </Banner>
      )}
      <ClosingStatus data={data} />
      {data.alerts.length > 0 && <Alerts alerts={data.alerts} />}
      <div className="op-two">
        <section className="op-part" aria-label="Last report">
          <h2>Last report</h2>
          <dl className="card op-facts">
            <Fact name="Number" value={`${clinic.number}${clinic.region && `, region ${clinic.region}`}`} />
            <Fact name="CRM account" value={clinic.account === null ? 'erased' : String(clinic.account)} />
            <Fact name="Last heard" value={formatSince(clinic.heard_at)} />
            <Fact
              name="Last payment"
              value={clinic.last_payment_at ? formatSince(clinic.last_payment_at) : 'none yet'}
            />
            <Fact name="Payments to decide" value={String(clinic.needs_human)} />
            <Fact name="Outcome unknown since" value={clinic.stuck_since ? formatSince(clinic.stuck_since) : 'none'} />
            <Fact
              name="CRM sync fails since"
              value={clinic.failing_since ? formatSince(clinic.failing_since) : 'none'}
            />
            <Fact name="Schema" value={`${clinic.schema}${clinic.is_behind ? ', behind' : ''}`} />
            <Fact name="Size" value={formatBytes(clinic.bytes)} />
          </dl>
          <p>
            <AppLink href={`/operator/audit?clinic=${clinic.number}`}>Audit trail of this clinic</AppLink>
          </p>
          {!isErased && (
            <p>
              Records lost? <AppLink href={`/operator/restore?clinic=${clinic.number}`}>Restore them</AppLink>
            </p>
          )}
        </section>
        {contact && (
          <section className="op-part" aria-label="Contact">
            <h2>Contact</h2>
            <div className="card op-contact">
              <p>
                <strong>{contact.name}</strong>
              </p>
              {contact.phone && <a href={`tel:${contact.phone.replaceAll(/[^\d+]/g, '')}`}>{contact.phone}</a>}
              {contact.email && <a href={`mailto:${contact.email}`}>{contact.email}</a>}
              {!contact.phone && !contact.email && <p className="app-quiet">The CRM has no phone number or address.</p>}
              <p className="op-sub">
                Time zone: {contact.time_zone}. The clinic decides about payments, in Payments to check; nothing here
                moves money.
              </p>
            </div>
          </section>
        )}
      </div>
      {contact && (
        <section className="op-part" aria-label="Payments and refunds without an outcome">
          <h2>Payments and refunds without an outcome</h2>
          <div className="card">
            {undecided.length === 0 && <p className="app-quiet">Every outcome is known.</p>}
            <ul className="op-rows">
              {undecided.map(({ what, state, n, since, items }) => (
                <li key={what + state}>
                  <span className="op-main">
                    <strong>{formatCount(n, what)}</strong>
                    <span className="op-sub">{STATES[state] ?? state}</span>
                    <span className="op-sub">{nameItems(items, n)}</span>
                  </span>
                  <span>since {formatSince(since)}</span>
                </li>
              ))}
            </ul>
          </div>
        </section>
      )}
      {mails && (
        <section className="op-part" aria-label="Emails not sent">
          <h2>Emails not sent</h2>
          <div className="card">
            <Mails mails={mails} clinic={clinic.number} onDone={refresh} />
          </div>
          <p>
            <AppLink href={`/operator/mails?clinic=${clinic.number}`}>All emails of this clinic</AppLink>
          </p>
        </section>
      )}
      {clinic.account !== null && <CloseClinic clinic={clinic} onDone={refresh} />}
    </>
  );
}

/** "INV-1007 (id a1) and 3 more" */
function nameItems(items: OperatorClinic['undecided'][number]['items'], n: number): string {
  const names = items.map(({ id, invoice_number }) => `${invoice_number} (id ${id})`).join(', ');
  return n > items.length ? `${names} and ${n - items.length} more` : names;
}

const Alerts = ({ alerts }: Pick<OperatorClinic, 'alerts'>) => (
  <section className="op-part" aria-label="Alerts">
    <h2>Alerts</h2>
    <div className="card">
      <ul className="op-rows">
        {alerts.map(({ key, event, says, steps, first_at, acked_by }) => (
          <li key={key}>
            <div className="op-main">
              <strong>{says}</strong>
              <span className="op-sub">
                {event}, since {formatSince(first_at)}
                {acked_by && `, acknowledged by ${acked_by}`}
              </span>
              <Steps event={event} steps={steps} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  </section>
);

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
