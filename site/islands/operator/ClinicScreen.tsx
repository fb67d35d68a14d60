import { OperatorClinic } from '#shared/contracts/operators/operator';
import { readWith } from '../ui/api/parse-response.ts';
import { Badge } from '../ui/Badge.tsx';
import { Act } from '../ui/feedback/Act.tsx';
import { Banner } from '../ui/feedback/Banner.tsx';
import { Button } from '../ui/form/Button.tsx';
import { formatSince } from '../ui/format-moment.ts';
import { AppLink } from '../ui/routing/router.tsx';
import { act, readDone, toldBy, usePolledView } from './api.ts';
import { Mails } from './Mails.tsx';
import { counted, formatBytes, toldState } from './words.ts';

const readClinic = readWith(OperatorClinic);
const WAITS: Record<string, string> = {
  sent: 'sent, no answer yet',
  unknown: 'outcome unknown; it is asked for by itself',
  needs_human: 'before a person; the clinic decides it in Payments to check',
};

/** One clinic: its contacts, and its pending items. */
export function ClinicScreen({ number }: { number: number }) {
  const { seen, failure, isLooking, again } = usePolledView(`clinics/${number}`, readClinic, null);
  const name = seen ? seen.clinic.name || `Clinic ${number}` : 'Clinic';
  return (
    <div className="op-page">
      <p>
        <AppLink href="/operator/clinics">All clinics</AppLink>
      </p>
      <h1 tabIndex={-1}>{name}</h1>
      {failure && <Banner tone="bad" lead={failure} />}
      {!seen && !failure && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
      {seen && <Seen seen={seen} isLooking={isLooking} again={() => void again()} />}
    </div>
  );
}

function Seen({ seen, isLooking, again }: { seen: OperatorClinic; isLooking: boolean; again(): void }) {
  const { clinic, contact, undecided, mails } = seen;
  const { tone, icon, text } = toldState(clinic.state);
  const isErased = clinic.erased_at !== null;
  return (
    <>
      <div className="op-head">
        <Badge tone={tone} icon={icon}>
          {text}
        </Badge>
        {!isErased && (
          <Act
            label="Wake"
            about="this clinic"
            title={`Wake clinic ${clinic.number}?`}
            verb="Wake"
            run={() => act(`clinics/${clinic.number}/wake`, readDone, { method: 'POST' })}
            done={toldBy}
            onDone={again}
          >
            <p>
              It does at once what is due there, and asks the card provider again for payments of an unknown outcome and
              for a comparison that failed. No money moves.
            </p>
          </Act>
        )}
        <Button busy={isLooking} onClick={again}>
          Look again
        </Button>
        {!isErased && (
          <Act
            label="View as clinic"
            title={`View clinic ${clinic.number} as its staff do?`}
            verb="View"
            run={() => act(`clinics/${clinic.number}/view`, readDone, { method: 'POST' })}
            done={toldBy}
            onDone={() => window.location.assign('/')}
          >
            <p>
              Only while an administrator of the clinic lets support look (in their app, under Help). Nothing can be
              changed. It is in the trail of both sides. A login of yours as staff in this browser ends.
            </p>
          </Act>
        )}
      </div>
      {!isErased && !contact && (
        <Banner tone="warn" lead="The clinic’s own records could not be read." role="status">
          What stands here is what it told of itself last.
        </Banner>
      )}
      {seen.alerts.length > 0 && <Alerts alerts={seen.alerts} />}
      <div className="op-two">
        <section className="op-part" aria-label="What it told of itself">
          <h2>What it told of itself</h2>
          <dl className="card op-facts">
            <Fact name="Number" value={`${clinic.number}${clinic.region && `, region ${clinic.region}`}`} />
            <Fact name="CRM account" value={clinic.account === null ? 'erased' : String(clinic.account)} />
            <Fact name="Last heard" value={formatSince(clinic.heard_at)} />
            <Fact
              name="Last payment"
              value={clinic.last_payment_at ? formatSince(clinic.last_payment_at) : 'none yet'}
            />
            <Fact name="Payments before a person" value={String(clinic.needs_human)} />
            <Fact name="A payment unknown since" value={clinic.stuck_since ? formatSince(clinic.stuck_since) : 'no'} />
            <Fact
              name="CRM sync fails since"
              value={clinic.failing_since ? formatSince(clinic.failing_since) : 'it does not'}
            />
            <Fact name="Schema" value={`${clinic.schema}${clinic.is_behind ? ', behind' : ''}`} />
            <Fact name="Size" value={formatBytes(clinic.bytes)} />
          </dl>
        </section>
        {contact && (
          <section className="op-part" aria-label="Whom to call">
            <h2>Whom to call</h2>
            <div className="card op-contact">
              <p>
                <strong>{contact.name}</strong>
              </p>
              {contact.phone && <a href={`tel:${contact.phone.replaceAll(/[^\d+]/g, '')}`}>{contact.phone}</a>}
              {contact.email && <a href={`mailto:${contact.email}`}>{contact.email}</a>}
              {!contact.phone && !contact.email && <p className="app-quiet">The CRM knows no number or address.</p>}
              <p className="op-sub">
                Local time: {contact.time_zone}. What became of a payment is for the clinic to say, in Payments to
                check; nothing here moves money.
              </p>
            </div>
          </section>
        )}
      </div>
      {contact && (
        <section className="op-part" aria-label="Payments and refunds without an outcome">
          <h2>Payments and refunds without an outcome</h2>
          <div className="card">
            {undecided.length === 0 && <p className="app-quiet">Each outcome is known.</p>}
            <ul className="op-rows">
              {undecided.map(({ what, state, n, since, items }) => (
                <li key={what + state}>
                  <span className="op-main">
                    <strong>{counted(n, what)}</strong>
                    <span className="op-sub">{WAITS[state] ?? state}</span>
                    <span className="op-sub">{named(items, n)}</span>
                  </span>
                  <span>since {formatSince(since)}</span>
                </li>
              ))}
            </ul>
          </div>
        </section>
      )}
      {mails && (
        <section className="op-part" aria-label="Mails not sent">
          <h2>Mails not sent</h2>
          <div className="card">
            <Mails mails={mails} clinic={clinic.number} onDone={again} />
          </div>
        </section>
      )}
    </>
  );
}

/** "INV-1007 (id a1) and 3 more" */
function named(items: OperatorClinic['undecided'][number]['items'], n: number): string {
  const first = items.map(({ id, invoice_number }) => `${invoice_number} (id ${id})`).join(', ');
  return n > items.length ? `${first} and ${n - items.length} more` : first;
}

const Alerts = ({ alerts }: Pick<OperatorClinic, 'alerts'>) => (
  <section className="op-part" aria-label="Alerts">
    <h2>Alerts</h2>
    <div className="card">
      <ul className="op-rows">
        {alerts.map(({ key, event, says, first_at, acked_by }) => (
          <li key={key}>
            <span className="op-main">
              <strong>{says}</strong>
              <span className="op-sub">
                {event}, since {formatSince(first_at)}
                {acked_by && `, acknowledged by ${acked_by}`}
              </span>
            </span>
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
